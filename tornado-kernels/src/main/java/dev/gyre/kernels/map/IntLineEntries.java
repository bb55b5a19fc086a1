package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.IntLines.contentOf;
import static dev.gyre.kernels.map.IntLines.keyAt;
import static dev.gyre.kernels.map.IntLines.valueAt;
import static dev.gyre.kernels.map.IntLines.word;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.DeviceLongs;

/**
 * One key at a time in the tables of {@link IntLines}, by the same protocol; device functions.
 *
 * <p>Operations of several threads on one table are linearizable, which is why accesses are
 * seq_cst. A key is in the table from the store of its value on: a search that finds the key alone
 * passes over it, since the key is in no slot behind it; an insert waits for the value.
 *
 * <p>Beside a bulk insert the value may be seen before the key: who goes over all slots must have
 * seen both ({@link #state}).
 */
public final class IntLineEntries {

  private IntLineEntries() {}

  /** The slot of a key, or {@link LongEntries#NONE}. */
  public static long find(DeviceLongs words, long slots, long seed, int key) {
    long desired = word(key);
    long slot = Hashing.home(key, seed, slots);
    long found = LongEntries.NONE;
    long left = slots;
    while (left > 0) {
      long seen = words.loadSeqCst(keyAt(slot));
      if (seen == desired) {
        found = words.loadSeqCst(valueAt(slot)) == EMPTY ? LongEntries.NONE : slot;
      }
      left = seen == desired || seen == EMPTY ? 0 : left - 1;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return found;
  }

  /**
   * Inserts a key with its value unless it is there. The caller has seen to it that there is room.
   *
   * @return the slot where the key was already; {@link LongEntries#NONE} if it was not; {@link
   *     LongEntries#STUCK}
   */
  public static long insert(
      DeviceLongs words, long slots, long seed, int key, int value, long pollLimit) {
    long desired = word(key);
    long slot = Hashing.home(key, seed, slots);
    long result = LongEntries.NONE;
    boolean searching = true;
    while (searching) {
      long seen = words.loadSeqCst(keyAt(slot));
      if (seen == EMPTY) {
        seen = words.compareAndExchangeSeqCst(keyAt(slot), EMPTY, desired);
      }
      if (seen == EMPTY) {
        // seq_cst: the key is in the table from here on
        words.storeSeqCst(valueAt(slot), word(value));
        searching = false;
      }
      if (seen == desired) {
        long there = words.waitWhileEqualSeqCst(valueAt(slot), EMPTY, pollLimit);
        result = there == EMPTY ? LongEntries.STUCK : slot;
        searching = false;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return result;
  }

  /** The key of a slot that is FILLED. */
  public static int key(DeviceLongs words, long slot) {
    return contentOf(words.loadSeqCst(keyAt(slot)));
  }

  /** The value of a slot that is FILLED. */
  public static int value(DeviceLongs words, long slot) {
    return contentOf(words.loadSeqCst(valueAt(slot)));
  }

  /** Writes a value where another is expected; returns the value before. */
  public static int compareAndExchange(DeviceLongs words, long slot, int expected, int value) {
    return contentOf(words.compareAndExchangeSeqCst(valueAt(slot), word(expected), word(value)));
  }

  /** Replaces a value by what a policy makes of it; returns the value before. */
  public static int update(DeviceLongs words, long slot, int operand, int policy) {
    long at = valueAt(slot);
    return contentOf(
        switch (policy) {
          case MapCodes.ADD -> words.fetchAddSeqCst(at, IntLines.above(operand));
          case MapCodes.MIN -> words.fetchMinSeqCst(at, word(operand));
          case MapCodes.MAX -> words.fetchMaxSeqCst(at, word(operand));
          default -> words.exchangeSeqCst(at, word(operand));
        });
  }

  /**
   * The state of a slot: EMPTY, RESERVED or FILLED. Where it is FILLED, its key is seen from then
   * on.
   */
  public static int state(DeviceLongs words, long slot) {
    // Both must have been seen: bulk inserts do not order the value after the key. RESERVED also
    // where the value alone was, so that a walk goes on behind it.
    boolean claimed = words.loadSeqCst(keyAt(slot)) != EMPTY;
    boolean there = words.loadSeqCst(valueAt(slot)) != EMPTY;
    return claimed && there ? FILLED : claimed || there ? RESERVED : EMPTY;
  }

  /** Whether the words of a slot are both EMPTY, or both such as an insert writes. */
  public static boolean isWhole(DeviceLongs words, long slot) {
    long key = words.loadSeqCst(keyAt(slot));
    long value = words.loadSeqCst(valueAt(slot));
    return key == EMPTY ? value == EMPTY : value == word(contentOf(value));
  }
}
