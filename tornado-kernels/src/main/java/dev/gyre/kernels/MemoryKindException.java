package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.util.Locale;

/**
 * Thrown if a device does not support a kind of memory. The message says why, and what to use
 * instead.
 *
 * @since 0.1.0
 */
public final class MemoryKindException extends GyreException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception for a kind and a device, with the reason. */
  public MemoryKindException(MemoryKind kind, Device device, String reason) {
    super(
        "%s on target %s has no %s memory: %s"
            .formatted(
                device.name(),
                device.target().label(),
                kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                reason));
  }
}
