package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.util.Locale;

/** A device has no memory of a kind; the message says why, and what to use instead. */
public final class MemoryKindException extends GyreException {

  private static final long serialVersionUID = 1L;

  /** Memory of a kind that a device does not have, for a reason. */
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
