package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.DeviceLongs;

/**
 * One key at a time in the tables of {@link PackedSlots}, by the same protocol; device functions.
 *
 * <p>Operations of several threads on one table are linearizable, which is why accesses are
 * seq_cst; all are wait-free in a table of bounded size, but for {@link #update}, which is
 * lock-free.
 */
public final class PackedEntries {

  private PackedEntries() {}

  /** The slot of a key, or {@link LongEntries#NONE}. */
  public static long find(DeviceLongs words, long slots, long seed, int key) {
    int stored = PackedSlots.stored(key);
    boolean aside = PackedSlots.isReserved(key);
    long slot = aside ? slots : Hashing.home(key, seed, slots);
    long found = LongEntries.NONE;
    long left = aside ? 1 : slots;
    while (left > 0) {
      long word = words.loadSeqCst(slot);
      boolean same = word != EMPTY && PackedSlots.storedOf(word) == stored;
      found = same ? slot : LongEntries.NONE;
      left = same || word == EMPTY ? 0 : left - 1;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return found;
  }

  /**
   * Inserts a key with its value unless it is there. The caller has seen to it that there is room.
   *
   * @return the slot where the key was already, or {@link LongEntries#NONE} if it was not
   */
  public static long insert(DeviceLongs words, long slots, long seed, int key, int value) {
    int stored = PackedSlots.stored(key);
    long desired = PackedSlots.word(stored, value);
    long slot = PackedSlots.isReserved(key) ? slots : Hashing.home(key, seed, slots);
    long result = LongEntries.NONE;
    boolean searching = true;
    while (searching) {
      long word = words.loadSeqCst(slot);
      if (word == EMPTY) {
        // seq_cst: claims and publishes, before anything this thread looks at later
        word = words.compareAndExchangeSeqCst(slot, EMPTY, desired);
      }
      boolean same = word != EMPTY && PackedSlots.storedOf(word) == stored;
      result = same ? slot : LongEntries.NONE;
      searching = word != EMPTY && !same;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return result;
  }

  /** The key of a slot that is not EMPTY. */
  public static int key(DeviceLongs words, long slot, long slots) {
    return PackedSlots.keyOf(words.loadSeqCst(slot), slot, slots);
  }

  /** The value of a slot that is not EMPTY. */
  public static int value(DeviceLongs words, long slot) {
    return PackedSlots.valueOf(words.loadSeqCst(slot));
  }

  /** Writes a value where another is expected; returns the value before. */
  public static int compareAndExchange(DeviceLongs words, long slot, int expected, int value) {
    int stored = PackedSlots.storedOf(words.loadSeqCst(slot));
    return PackedSlots.valueOf(
        words.compareAndExchangeSeqCst(
            slot, PackedSlots.word(stored, expected), PackedSlots.word(stored, value)));
  }

  /** Replaces a value by what a policy makes of it; returns the value before. */
  public static int update(DeviceLongs words, long slot, int operand, int policy) {
    long before = words.loadSeqCst(slot);
    boolean done = false;
    while (!done) {
      int value = PackedSlots.valueOf(before);
      int result =
          policy == MapCodes.ASSIGN ? operand : PackedSlots.applied(value, operand, policy);
      long after = PackedSlots.word(PackedSlots.storedOf(before), result);
      long seen = words.compareAndExchangeSeqCst(slot, before, after);
      done = seen == before;
      before = seen;
    }
    return PackedSlots.valueOf(before);
  }
}
