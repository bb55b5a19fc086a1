package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a launch failed. The message names kernel, target, device and cause.
 *
 * @since 0.1.0
 */
public class LaunchException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String kernel;
  private final Target target;
  private final String failure;

  public LaunchException(String kernel, Device device, String problem, @Nullable Throwable cause) {
    String failure =
        "kernel %s on %s (%s): %s"
            .formatted(kernel, device.target().label(), device.name(), problem);
    super(failure, cause);
    this.failure = failure;
    this.kernel = kernel;
    this.target = device.target();
  }

  /** Returns the name of the kernel. */
  public String kernel() {
    return kernel;
  }

  /** Returns the message without the progress until the failure. */
  final String failure() {
    return failure;
  }

  public Target target() {
    return target;
  }
}
