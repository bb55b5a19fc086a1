package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A launch failed; the message names kernel, target, device and cause. */
public class LaunchException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String kernel;
  private final Target target;

  public LaunchException(String kernel, Device device, String problem, @Nullable Throwable cause) {
    super(
        "kernel %s on %s (%s): %s"
            .formatted(kernel, device.target().label(), device.name(), problem),
        cause);
    this.kernel = kernel;
    this.target = device.target();
  }

  /** Name of the kernel. */
  public String kernel() {
    return kernel;
  }

  public Target target() {
    return target;
  }
}
