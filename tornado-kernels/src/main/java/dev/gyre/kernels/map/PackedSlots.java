package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.AGAIN;
import static dev.gyre.kernels.map.MapCodes.ASSIGN;
import static dev.gyre.kernels.map.MapCodes.BOUNDED;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.MASKED;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;
import static dev.gyre.kernels.map.MapCodes.OUTCOMES;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RETRIEVED;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * The map from int to int whose slot is one 64-bit word, key above value, published by one
 * compare-and-exchange: there is no RESERVED, and nobody waits.
 *
 * <p>A word of 0 is EMPTY. Keys are stored with their sign turned over, so that the key whose
 * stored form is 0, {@link Integer#MIN_VALUE}, cannot be told from EMPTY: it lives in a <em>side
 * slot</em> after all others, with 1 for its stored form. So every int is a key, and the table has
 * one word more than it has slots.
 *
 * <table>
 *   <caption>All accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load, claim, assign and apply of a word</td><td>relaxed</td><td>each other</td>
 *       <td>one word holds all there is to see; a plain access beside an update is a race</td></tr>
 * </table>
 *
 * <p>The key in a word never changes once it is there; its value does by a store or a
 * compare-and-exchange of the whole word. Progress: insert and find are wait-free for a table of
 * bounded size; apply is lock-free, since a compare-and-exchange fails only where another one
 * succeeded.
 */
public final class PackedSlots {

  private PackedSlots() {}

  /** Length of the array of words of a table. */
  public static long words(long slots) {
    return slots + 1;
  }

  /** The upper half of a key's word: never 0. */
  static int stored(int key) {
    int turned = key ^ Integer.MIN_VALUE;
    return turned == 0 ? 1 : turned;
  }

  /** Whether a key lives in the side slot. */
  static boolean isReserved(int key) {
    return key == Integer.MIN_VALUE;
  }

  static long word(int stored, int value) {
    return ((long) stored << 32) | Unsigned.toLong(value);
  }

  static int storedOf(long word) {
    return (int) (word >> 32);
  }

  /** The key of a word that is not EMPTY. */
  static int keyOf(long word, long slot, long slots) {
    return slot == slots ? Integer.MIN_VALUE : storedOf(word) ^ Integer.MIN_VALUE;
  }

  static int valueOf(long word) {
    return (int) word;
  }

  /**
   * Inserts a batch.
   *
   * @param words the table; see {@link #words}
   * @param inKeys the batch's keys
   * @param inValues the batch's values; with FETCH, also where the values present are written
   * @param outcomes per key; used with MASKED and OUTCOMES only
   * @param counters to which the outcomes are added up
   * @param policy what to do with the value of a key that is present: KEEP, FETCH, ASSIGN, ADD, MIN
   *     or MAX
   * @param options sum of MASKED or AGAIN, OUTCOMES, BOUNDED and STRIPED
   * @param pollLimit with BOUNDED, polls after which a wait for other threads' room gives up
   */
  public static void insert(
      int thread,
      int threads,
      DeviceLongs words,
      long slots,
      long seed,
      DeviceInts inKeys,
      DeviceInts inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit) {
    int inserted = 0;
    int present = 0;
    int full = 0;
    int stuck = 0;
    for (long i = from + thread; i < to; i += threads) {
      int outcome = SEARCHING;
      if ((options & MASKED) != 0) {
        outcome = outcomes.get(i) == SKIPPED ? SKIPPED : SEARCHING;
      }
      if ((options & AGAIN) != 0) {
        outcome = outcomes.get(i) == STUCK ? SEARCHING : SKIPPED;
      }
      int key = inKeys.get(i);
      int stored = stored(key);
      long desired = word(stored, inValues.get(i));
      long slot = isReserved(key) ? slots : Hashing.home(key, seed, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      while (outcome == SEARCHING) {
        // relaxed: the word is all there is to see
        long seen = words.loadRelaxed(slot);
        int room = Room.TAKEN;
        if (seen == EMPTY && (options & BOUNDED) != 0) {
          room = Room.take(counters, pollLimit);
        }
        if (seen == EMPTY && room == Room.TAKEN) {
          // relaxed: claims and publishes at once
          seen = words.compareAndExchangeRelaxed(slot, EMPTY, desired);
          if ((options & BOUNDED) != 0) {
            Room.settle(counters, seen == EMPTY);
          }
        }
        if (seen == EMPTY && room == Room.NONE) {
          // relaxed: no room means that the last claims are seen; one may be of this slot
          seen = words.loadRelaxed(slot);
        }
        if (seen == EMPTY) {
          outcome = room == Room.TAKEN ? INSERTED : room == Room.NONE ? FULL : STUCK;
        } else if (storedOf(seen) == stored) {
          outcome = PRESENT;
        } else if (slot == last) {
          outcome = FULL;
        } else {
          slot = slot + 1 == slots ? 0 : slot + 1;
        }
      }
      if (outcome == PRESENT && policy != KEEP) {
        update(words, slot, stored, inValues, i, policy);
      }
      if ((options & OUTCOMES) != 0 && outcome != SKIPPED) {
        outcomes.set(i, (byte) outcome);
      }
      inserted += outcome == INSERTED ? 1 : 0;
      present += outcome == PRESENT ? 1 : 0;
      full += outcome == FULL ? 1 : 0;
      stuck += outcome == STUCK ? 1 : 0;
    }
    Counting.add(counters, thread, INSERTED, inserted, options);
    Counting.add(counters, thread, PRESENT, present, options);
    Counting.add(counters, thread, FULL, full, options);
    Counting.add(counters, thread, STUCK, stuck, options);
  }

  /** Does what a policy says with the value of a word that is not EMPTY. */
  static void update(
      DeviceLongs words, long slot, int stored, DeviceInts inValues, long i, int policy) {
    int operand = inValues.get(i);
    if (policy == FETCH) {
      inValues.set(i, valueOf(words.loadRelaxed(slot)));
    } else if (policy == ASSIGN) {
      words.storeRelaxed(slot, word(stored, operand));
    } else {
      long before = words.loadRelaxed(slot);
      long after = word(stored, applied(valueOf(before), operand, policy));
      long seen = words.compareAndExchangeRelaxed(slot, before, after);
      while (seen != before) {
        before = seen;
        after = word(stored, applied(valueOf(before), operand, policy));
        seen = words.compareAndExchangeRelaxed(slot, before, after);
      }
    }
  }

  static int applied(int value, int operand, int policy) {
    int result = value + operand;
    if (policy == MIN) {
      result = operand < value ? operand : value;
    } else if (policy == MAX) {
      result = operand > value ? operand : value;
    }
    return result;
  }

  /**
   * Looks up a batch.
   *
   * @param outValues where values go; used with VALUES only
   * @param options sum of MASKED or AGAIN, OUTCOMES, VALUES, QUIESCENT and STRIPED
   */
  public static void find(
      int thread,
      int threads,
      DeviceLongs words,
      long slots,
      long seed,
      DeviceInts inKeys,
      DeviceInts outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options) {
    int found = 0;
    int absent = 0;
    for (long i = from + thread; i < to; i += threads) {
      int outcome = SEARCHING;
      if ((options & MASKED) != 0) {
        outcome = outcomes.get(i) == SKIPPED ? SKIPPED : SEARCHING;
      }
      if ((options & AGAIN) != 0) {
        outcome = outcomes.get(i) == STUCK ? SEARCHING : SKIPPED;
      }
      int key = inKeys.get(i);
      int stored = stored(key);
      long slot = isReserved(key) ? slots : Hashing.home(key, seed, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      long word = EMPTY;
      while (outcome == SEARCHING) {
        word = (options & QUIESCENT) != 0 ? words.get(slot) : words.loadRelaxed(slot);
        if (word == EMPTY) {
          outcome = ABSENT;
        } else if (storedOf(word) == stored) {
          outcome = FOUND;
        } else if (slot == last) {
          outcome = ABSENT;
        } else {
          slot = slot + 1 == slots ? 0 : slot + 1;
        }
      }
      if ((options & VALUES) != 0 && outcome != SKIPPED) {
        outValues.set(i, outcome == FOUND ? valueOf(word) : 0);
      }
      if ((options & OUTCOMES) != 0 && outcome != SKIPPED) {
        outcomes.set(i, (byte) outcome);
      }
      found += outcome == FOUND ? 1 : 0;
      absent += outcome == ABSENT ? 1 : 0;
    }
    Counting.add(counters, thread, FOUND, found, options);
    Counting.add(counters, thread, ABSENT, absent, options);
  }

  /**
   * Copies the entries of the words from {@code from} to {@code to - 1} to the front of two arrays,
   * in no particular order, and counts them in RETRIEVED.
   */
  public static void retrieve(
      int thread,
      int threads,
      DeviceLongs words,
      long slots,
      DeviceInts outKeys,
      DeviceInts outValues,
      DeviceLongs counters,
      long from,
      long to) {
    for (long slot = from + thread; slot < to; slot += threads) {
      long word = words.loadRelaxed(slot);
      if (word != EMPTY) {
        long i = counters.fetchAddRelaxed(RETRIEVED, 1);
        outKeys.set(i, keyOf(word, slot, slots));
        outValues.set(i, valueOf(word));
      }
    }
  }

  /** {@link PackedSlots#insert} with its arguments. */
  public record Insert(
      DeviceLongs words,
      long slots,
      long seed,
      DeviceInts inKeys,
      DeviceInts inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      insert(
          thread,
          shape.threads(),
          words,
          slots,
          seed,
          inKeys,
          inValues,
          outcomes,
          counters,
          from,
          to,
          policy,
          options,
          pollLimit);
    }
  }

  /** {@link PackedSlots#find} with its arguments. */
  public record Find(
      DeviceLongs words,
      long slots,
      long seed,
      DeviceInts inKeys,
      DeviceInts outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      find(
          thread,
          shape.threads(),
          words,
          slots,
          seed,
          inKeys,
          outValues,
          outcomes,
          counters,
          from,
          to,
          options);
    }
  }

  /** {@link PackedSlots#retrieve} with its arguments. */
  public record Retrieve(
      DeviceLongs words,
      long slots,
      DeviceInts outKeys,
      DeviceInts outValues,
      DeviceLongs counters,
      long from,
      long to)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      retrieve(thread, shape.threads(), words, slots, outKeys, outValues, counters, from, to);
    }
  }
}
