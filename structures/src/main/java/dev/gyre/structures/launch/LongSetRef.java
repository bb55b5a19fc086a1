package dev.gyre.structures.launch;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.LongSet;

/**
 * Gives the threads of a kernel access to a {@link LongSet}, one key at a time. {@link
 * LongSet#launch} creates it; it is valid for that launch only. {@link LongMapRef} describes the
 * outcomes.
 *
 * @since 0.1.0
 */
@IntSpecialized
public record LongSetRef(@Internal TableRef table) {
  @Internal
  public LongSetRef {}

  /** Adds a key; returns INSERTED, PRESENT, FULL or STUCK. */
  public int add(/* int */ long key) {
    return table.insert(key, key, MapCodes.KEEP);
  }

  /** Removes a key; returns FOUND, ABSENT or STUCK, as {@link LongMapRef#remove}. */
  public int remove(/* int */ long key) {
    return table.remove(key).outcome();
  }

  /** Looks up a key; returns FOUND, ABSENT or STUCK. */
  public int contains(/* int */ long key) {
    return table.contains(key);
  }
}
