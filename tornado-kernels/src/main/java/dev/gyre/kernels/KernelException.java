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

  KernelException(String kernel, String component, String problem) {
    super(
        "kernel %s%s %s"
            .formatted(kernel, component.isEmpty() ? "" : ", component " + component, problem));
  }
}
