package dev.gyre.structures.map;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Device;
import java.io.Serial;

/**
 * Thrown if threads gave up waiting for a slot that another thread had claimed and not yet
 * published.
 *
 * @since 0.1.0
 */
public final class StuckException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final long keys;

  @Internal
  public StuckException(long keys, String structure, String operation, Device device) {
    super(
        "%s on %s (%s) of %s: %d keys gave up waiting for a slot that another thread had claimed, and may or may not be in the map. That thread was interrupted or stopped for a long time: build the map with a larger pollLimit()"
            .formatted(operation, device.target().label(), device.name(), structure, keys));
    this.keys = keys;
  }

  /** Returns the number of keys that were affected. */
  public long keys() {
    return keys;
  }
}
