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
 * One key at a time in the tables of {@link IntLines}, by the same protocol; device functions. What
 * {@link LongEntries} says holds here, too: a key whose value is not there yet is absent.
 */
public final class IntLineEntries {

  private IntLineEntries() {}

  /** The slot of a key, or {@link LongEntries#NONE}. */
  public static long find(DeviceLongs words, long slots, long seed, int key) {
    long wanted = word(key);
    long slot = Hashing.home(key, seed, slots);
    long found = LongEntries.NONE;
    long left = slots;
    while (left > 0) {
      long seen = words.loadSeqCst(keyAt(slot));
      boolean same = seen == wanted;
      if (same) {
        found = words.loadSeqCst(valueAt(slot)) == EMPTY ? LongEntries.NONE : slot;
      }
      left = same || seen == EMPTY ? 0 : left - 1;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return found;
  }

  /** Inserts a key with its value unless it is there, as {@link LongEntries#insert}. */
  public static long insert(
      DeviceLongs words, long slots, long seed, int key, int value, long pollLimit) {
    long wanted = word(key);
    long slot = Hashing.home(key, seed, slots);
    long result = LongEntries.NONE;
    boolean searching = true;
    while (searching) {
      long seen = words.loadSeqCst(keyAt(slot));
      if (seen == EMPTY) {
        seen = words.compareAndExchangeSeqCst(keyAt(slot), EMPTY, wanted);
      }
      if (seen == EMPTY) {
        // seq_cst: publishes the entry, before anything this thread looks at later
        words.storeSeqCst(valueAt(slot), word(value));
      }
      if (seen == wanted) {
        long there = words.waitWhileEqualAcquire(valueAt(slot), EMPTY, pollLimit);
        result = there == EMPTY ? LongEntries.STUCK : slot;
      }
      searching = seen != EMPTY && seen != wanted;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return result;
  }

  /** The state of a slot. */
  public static int state(DeviceLongs words, long slot) {
    int state = RESERVED;
    if (words.loadSeqCst(keyAt(slot)) == EMPTY) {
      state = EMPTY;
    } else if (words.loadSeqCst(valueAt(slot)) != EMPTY) {
      state = FILLED;
    }
    return state;
  }

  /** The key of a slot that is FILLED. */
  public static int key(DeviceLongs words, long slot) {
    return contentOf(words.loadSeqCst(keyAt(slot)));
  }

  /** The value of a slot that is FILLED. */
  public static int value(DeviceLongs words, long slot) {
    return contentOf(words.loadSeqCst(valueAt(slot)));
  }

  /** Replaces a value by what a policy makes of it; returns the value before. */
  public static int update(DeviceLongs words, long slot, int operand, int policy) {
    long at = valueAt(slot);
    long before;
    if (policy == MapCodes.ADD) {
      before = words.fetchAddSeqCst(at, IntLines.above(operand));
    } else if (policy == MapCodes.MIN) {
      before = words.fetchMinSeqCst(at, word(operand));
    } else if (policy == MapCodes.MAX) {
      before = words.fetchMaxSeqCst(at, word(operand));
    } else {
      before = words.exchangeSeqCst(at, word(operand));
    }
    return contentOf(before);
  }

  /** Writes a value where another is expected; returns the value before. */
  public static int compareAndExchange(DeviceLongs words, long slot, int expected, int value) {
    return contentOf(words.compareAndExchangeSeqCst(valueAt(slot), word(expected), word(value)));
  }
}
