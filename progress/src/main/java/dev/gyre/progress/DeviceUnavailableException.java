package dev.gyre.progress;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Target;
import java.io.Serial;

/**
 * Thrown if a target is requested by name and has no usable device.
 *
 * @since 0.1.0
 */
public final class DeviceUnavailableException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public DeviceUnavailableException(Target target, String problem) {
    super("target " + target.label() + " cannot be used: " + problem);
  }
}
