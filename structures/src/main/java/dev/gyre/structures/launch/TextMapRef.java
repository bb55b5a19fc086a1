package dev.gyre.structures.launch;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;

/**
 * A {@link TextLongMap} within a kernel: one key at a time, by each of its threads, side by side.
 * It comes from {@link TextLongMap#launch}, and is good for that launch. A key is a text of a
 * column, such as that of {@link TextKeys#column}. Outcomes as of {@link LongMapRef}; a key is
 * FULL, too, where there is no room for its text.
 */
public record TextMapRef(TableRef table) {

  /** Inserts a key unless it is there: INSERTED, PRESENT, FULL or STUCK. */
  public int insert(TextColumn keys, long index, long value) {
    return merge(keys, index, value, MapCodes.KEEP);
  }

  /**
   * Inserts a key with its value, or changes the value of a key that is there to what a policy
   * makes of both, atomically; as {@link LongMapRef#merge(long, long, int)}.
   */
  public int merge(TextColumn keys, long index, long value, int policy) {
    return table.reading(keys.words()).insert(keys.place(index), value, policy);
  }

  /** The same with a function of the user's; as {@link LongMapRef#merge(long, long, Fold)}. */
  public int merge(TextColumn keys, long index, long value, Fold fold) {
    return table.reading(keys.words()).insert(keys.place(index), value, new Change.Folding(fold));
  }

  /** Whether a key is there: FOUND, ABSENT or STUCK. */
  public int contains(TextColumn keys, long index) {
    return table.reading(keys.words()).contains(keys.place(index));
  }

  /** Looks for a key: FOUND with its value, ABSENT or STUCK. */
  public TableRef.Found find(TextColumn keys, long index) {
    return table.reading(keys.words()).find(keys.place(index));
  }
}
