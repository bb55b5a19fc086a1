package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if a kernel has an invalid component. The message names kernel, component and reason.
 *
 * @since 0.1.0
 */
public final class KernelException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String kernel;
  private final String component;

  KernelException(String kernel, String component, String problem) {
    super(
        "kernel %s%s %s"
            .formatted(kernel, component.isEmpty() ? "" : ", component " + component, problem));
    this.kernel = kernel;
    this.component = component;
  }

  /** Returns the name of the kernel. */
  public String kernel() {
    return kernel;
  }

  /** Returns the path to the component, such as {@code slots.hash}; empty for the kernel itself. */
  public String component() {
    return component;
  }
}
