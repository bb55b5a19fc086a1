package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;

/**
 * Gives the threads of a kernel access to a {@link TextLongMap}, one key at a time. {@link
 * TextLongMap#launch} creates it; it is valid for that launch only. A key is a text of a column,
 * such as {@link TextKeys#column}. {@link LongMapRef} describes the outcomes. A key is also FULL if
 * its text does not fit.
 *
 * @since 0.1.0
 */
public record TextMapRef(@Internal TableRef table) {
  @Internal
  public TextMapRef {}

  /** Inserts a key if it is absent; returns INSERTED, PRESENT, FULL or STUCK. */
  public int insert(TextColumn keys, long index, long value) {
    return merge(keys, index, value, MapCodes.KEEP);
  }

  /**
   * Inserts a key with its value, or combines both values atomically if the key is present; as
   * {@link LongMapRef#merge(long, long, int)}.
   */
  public int merge(TextColumn keys, long index, long value, int policy) {
    return table.reading(keys.words()).insert(keys.place(index), value, policy);
  }

  /**
   * Inserts a key with its value, or combines both values by the user's function if the key is
   * present; as {@link LongMapRef#merge(long, long, Fold)}.
   */
  public int merge(TextColumn keys, long index, long value, Fold fold) {
    return table.reading(keys.words()).insert(keys.place(index), value, new Change.Folding(fold));
  }

  /** Removes a key as {@link LongMapRef#remove} does. */
  public TableRef.Found remove(TextColumn keys, long index) {
    return table.reading(keys.words()).remove(keys.place(index));
  }

  /** Looks up a key; returns FOUND, ABSENT or STUCK. */
  public int contains(TextColumn keys, long index) {
    return table.reading(keys.words()).contains(keys.place(index));
  }

  /** Looks up a key; returns FOUND with its value, ABSENT or STUCK. */
  public TableRef.Found find(TextColumn keys, long index) {
    return table.reading(keys.words()).find(keys.place(index));
  }
}
