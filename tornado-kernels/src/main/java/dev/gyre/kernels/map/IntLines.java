package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.AGAIN;
import static dev.gyre.kernels.map.MapCodes.BOUNDED;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.MASKED;
import static dev.gyre.kernels.map.MapCodes.NO_ROOM;
import static dev.gyre.kernels.map.MapCodes.OUTCOMES;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RETRIEVED;
import static dev.gyre.kernels.map.MapCodes.ROOM_UNKNOWN;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * The map from int to int whose slot is a line of two 64-bit words, side by side: the key above its
 * state, and the value above its state.
 *
 * <p>A word of 0 is EMPTY, else its lower half is FILLED. A slot is EMPTY while its key's word is,
 * RESERVED while only its value's word is, and then FILLED. The compare-and-exchange that claims a
 * slot writes the key as well, so that whoever looks for another key goes on at once; only who
 * needs the value of an equal key waits for that.
 *
 * <table>
 *   <caption>All accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load and claim of a key's word</td><td>relaxed</td><td>each other</td>
 *       <td>one word holds key and state; a plain access beside a claim is a race</td></tr>
 *   <tr><td>store, load, wait for and update of a value's word</td><td>relaxed</td>
 *       <td>each other</td><td>as above. The word says by itself that the value is there, so that
 *       it need not be ordered after the key's: who looks for a key sees the key first, and who
 *       goes over all slots takes one for FILLED only where both words were seen ({@link
 *       IntLineEntries#state}; IntLineWalk.BothSeen, and its twin that looks at the value alone)
 *       </td></tr>
 * </table>
 *
 * <p>Keys never change. Progress: a thread that has claimed a slot stores the value without waiting
 * for anybody, so a waiter needs only that a thread once started goes on (parallel forward
 * progress); a wait ends after a number of polls in any case.
 */
public final class IntLines {

  private IntLines() {}

  /** Length of the array of words of a table. */
  public static long words(long slots) {
    return 2 * slots;
  }

  /** Element of the words that has the key of a slot. */
  static long keyAt(long slot) {
    return slot << 1;
  }

  /** Element of the words that has the value of a slot. */
  static long valueAt(long slot) {
    return (slot << 1) + 1;
  }

  /** The word of a key or a value that is there. */
  static long word(int content) {
    return above(content) + FILLED;
  }

  /** A key or value in the upper half of a word, where sums of values wrap around by themselves. */
  static long above(int content) {
    return (long) content << 32;
  }

  static int contentOf(long word) {
    return (int) (word >> 32);
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
   * @param pollLimit polls after which a wait for another thread gives up
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
      long desired = word(key);
      long home = Hashing.home(key, seed, slots);
      long slot = home;
      while (outcome == SEARCHING) {
        // relaxed: the word is all there is to see
        long seen = words.loadRelaxed(keyAt(slot));
        if (seen == EMPTY) {
          seen = claim(words, keyAt(slot), desired, counters, options, pollLimit);
        }
        if (seen == EMPTY) {
          // relaxed: the word is all there is to see
          words.storeRelaxed(valueAt(slot), word(inValues.get(i)));
          outcome = INSERTED;
        } else if (seen == desired) {
          outcome = PRESENT;
        } else {
          long next = slot + 1 == slots ? 0 : slot + 1;
          outcome = next == home ? FULL : SEARCHING;
          outcome = seen == NO_ROOM ? FULL : seen == ROOM_UNKNOWN ? STUCK : outcome;
          slot = next;
        }
      }
      if (outcome == PRESENT && policy != KEEP) {
        outcome = update(words, valueAt(slot), inValues, i, policy, pollLimit);
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

  /**
   * Claims a slot that was EMPTY; returns EMPTY if that succeeded, else its word, NO_ROOM or
   * ROOM_UNKNOWN, which are no words of keys.
   */
  static long claim(
      DeviceLongs words, long at, long desired, DeviceLongs counters, int options, long pollLimit) {
    boolean bounded = (options & BOUNDED) != 0;
    int room = Room.TAKEN;
    if (bounded) {
      room = Room.take(counters, pollLimit);
    }
    long seen = ROOM_UNKNOWN;
    if (room == Room.TAKEN) {
      // relaxed: the word is all there is to see
      seen = words.compareAndExchangeRelaxed(at, EMPTY, desired);
      if (bounded) {
        Room.settle(counters, seen == EMPTY);
      }
    }
    if (room == Room.NONE) {
      // relaxed: no room means that the last claims are seen, and one may be of this slot
      long now = words.loadRelaxed(at);
      seen = now == EMPTY ? NO_ROOM : now;
    }
    return seen;
  }

  /** Does what a policy says with a value, once it is there; returns PRESENT or STUCK. */
  static int update(
      DeviceLongs words, long at, DeviceInts inValues, long i, int policy, long pollLimit) {
    long seen = words.waitWhileEqualRelaxed(at, EMPTY, pollLimit);
    int outcome = seen == EMPTY ? STUCK : PRESENT;
    int change = outcome == PRESENT ? policy : KEEP;
    if (change == FETCH) {
      inValues.set(i, contentOf(seen));
    }
    if (change == MapCodes.ASSIGN) {
      words.storeRelaxed(at, word(inValues.get(i)));
    }
    if (change == MapCodes.ADD) {
      words.fetchAddRelaxed(at, above(inValues.get(i)));
    }
    if (change == MapCodes.MIN) {
      words.fetchMinRelaxed(at, word(inValues.get(i)));
    }
    if (change == MapCodes.MAX) {
      words.fetchMaxRelaxed(at, word(inValues.get(i)));
    }
    return outcome;
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
      int options,
      long pollLimit) {
    int found = 0;
    int absent = 0;
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
      long desired = word(key);
      long home = Hashing.home(key, seed, slots);
      long slot = home;
      long value = EMPTY;
      while (outcome == SEARCHING) {
        long seen;
        // Side by side, key before value, so that a device can load both at once.
        if ((options & QUIESCENT) != 0) {
          seen = words.get(keyAt(slot));
          value = words.get(valueAt(slot));
        } else {
          // relaxed: a word is all there is to see
          seen = words.loadRelaxed(keyAt(slot));
          value = words.loadRelaxed(valueAt(slot));
        }
        if (seen == desired) {
          outcome = value == EMPTY ? STUCK : FOUND;
        } else {
          slot = slot + 1 == slots ? 0 : slot + 1;
          outcome = slot == home ? ABSENT : SEARCHING;
          outcome = seen == EMPTY ? ABSENT : outcome;
        }
      }
      if (outcome == STUCK) {
        value = words.waitWhileEqualRelaxed(valueAt(slot), EMPTY, pollLimit);
        outcome = value == EMPTY ? STUCK : FOUND;
      }
      if ((options & VALUES) != 0 && outcome != SKIPPED) {
        outValues.set(i, outcome == FOUND ? contentOf(value) : 0);
      }
      if ((options & OUTCOMES) != 0 && outcome != SKIPPED) {
        outcomes.set(i, (byte) outcome);
      }
      found += outcome == FOUND ? 1 : 0;
      absent += outcome == ABSENT ? 1 : 0;
      stuck += outcome == STUCK ? 1 : 0;
    }
    Counting.add(counters, thread, FOUND, found, options);
    Counting.add(counters, thread, ABSENT, absent, options);
    Counting.add(counters, thread, STUCK, stuck, options);
  }

  /**
   * Copies the entries of the slots from {@code from} to {@code to - 1} to the front of two arrays,
   * in no particular order; counts them in RETRIEVED, and slots left RESERVED in STUCK. Nobody may
   * insert at the same time.
   */
  public static void retrieve(
      int thread,
      int threads,
      DeviceLongs words,
      DeviceInts outKeys,
      DeviceInts outValues,
      DeviceLongs counters,
      long from,
      long to) {
    int stuck = 0;
    for (long slot = from + thread; slot < to; slot += threads) {
      long key = words.get(keyAt(slot));
      long value = words.loadRelaxed(valueAt(slot));
      if (value != EMPTY) {
        long i = counters.fetchAddRelaxed(RETRIEVED, 1);
        outKeys.set(i, contentOf(key));
        outValues.set(i, contentOf(value));
      }
      long missing = value == EMPTY ? key : EMPTY;
      stuck += missing != EMPTY ? 1 : 0;
    }
    counters.fetchAddRelaxed(STUCK, Lanes.sumOfPresent(stuck));
  }

  /** {@link IntLines#insert} with its arguments. */
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

  /** {@link IntLines#find} with its arguments. */
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
      int options,
      long pollLimit)
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
          options,
          pollLimit);
    }
  }

  /** {@link IntLines#retrieve} with its arguments. */
  public record Retrieve(
      DeviceLongs words,
      DeviceInts outKeys,
      DeviceInts outValues,
      DeviceLongs counters,
      long from,
      long to)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      retrieve(thread, shape.threads(), words, outKeys, outValues, counters, from, to);
    }
  }
}
