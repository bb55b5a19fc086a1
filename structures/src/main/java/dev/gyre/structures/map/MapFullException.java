package dev.gyre.structures.map;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Internal;
import java.io.Serial;

/**
 * Thrown if a key does not fit in a map of fixed capacity. After an operation on a single key, the
 * map is unchanged. After a bulk insert with {@link BulkOptions#throwIfFull}, keys that fit are in
 * the map, and {@link #soFar} has the {@link InsertCounts}.
 *
 * @since 0.1.0
 */
public final class MapFullException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  @Internal
  public MapFullException(String map, long capacity) {
    super(
        "%s: its fixed capacity of %d keys is used up; build it with a larger one, or with capacity() so that it grows"
            .formatted(map, capacity));
  }

  private MapFullException(String message) {
    super(message);
  }

  /** Returns the exception for a key whose text does not fit. */
  @Internal
  public static MapFullException ofText(String map, long bytes) {
    return new MapFullException(
        "%s: its %d bytes for text are used up; build it with more textBytes(), or with capacity() so that it grows"
            .formatted(map, bytes));
  }
}
