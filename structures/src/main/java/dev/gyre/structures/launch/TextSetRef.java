package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.map.TextSet;

/**
 * Gives the threads of a kernel access to a {@link TextSet}, one key at a time. {@link
 * TextSet#launch} creates it; it is valid for that launch only. {@link TextMapRef} describes keys
 * and outcomes.
 *
 * @since 0.1.0
 */
public record TextSetRef(@Internal TableRef table) {
  @Internal
  public TextSetRef {}

  /** Adds a key; returns INSERTED, PRESENT, FULL or STUCK. */
  public int add(TextColumn keys, long index) {
    return table.reading(keys.words()).insert(keys.place(index), 0, MapCodes.KEEP);
  }

  /** Removes a key; returns FOUND, ABSENT or STUCK, as {@link LongMapRef#remove}. */
  public int remove(TextColumn keys, long index) {
    return table.reading(keys.words()).remove(keys.place(index)).outcome();
  }

  /** Looks up a key; returns FOUND, ABSENT or STUCK. */
  public int contains(TextColumn keys, long index) {
    return table.reading(keys.words()).contains(keys.place(index));
  }
}
