package dev.gyre.structures.map;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Device;
import java.io.Serial;

/** Threads waited for a slot that another thread had reserved and did not publish in time. */
public final class StuckException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final long keys;

  @Internal
  public StuckException(long keys, String structure, String operation, Device device) {
    super(
        "%s on %s (%s) of %s: %d keys waited for a slot that another thread had reserved, and gave up; whether they are in the map is not known. A thread was interrupted, or stopped for long: give the map a larger poll limit"
            .formatted(operation, device.target().label(), device.name(), structure, keys));
    this.keys = keys;
  }

  /** How many keys this happened to. */
  public long keys() {
    return keys;
  }
}
