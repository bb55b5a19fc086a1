package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** A kernel has a part that kernels cannot have; the message names kernel, component and reason. */
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

  /** Name of the kernel. */
  public String kernel() {
    return kernel;
  }

  /** The path to the component, such as {@code slots.hash}; empty for the kernel itself. */
  public String component() {
    return component;
  }
}
