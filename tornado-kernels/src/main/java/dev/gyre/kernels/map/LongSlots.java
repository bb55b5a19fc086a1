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
import static dev.gyre.kernels.map.MapCodes.RESERVED;
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
 * The map from long to long whose slots have a state, as in the talk, in the reference or the line
 * layout.
 *
 * <p>Insert claims the first EMPTY slot from the key's home on, writes key and value, and publishes
 * them; who meets a RESERVED slot waits for that, since the key may be its own.
 *
 * <table>
 *   <caption>All accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load state</td><td>acquire</td><td>publish</td>
 *       <td>key and value could be read as they were before</td></tr>
 *   <tr><td>claim state</td><td>acquire</td><td>publish</td>
 *       <td>as the load, where another thread was first; the claim itself needs no order</td></tr>
 *   <tr><td>publish state</td><td>release</td><td>load, claim and wait</td>
 *       <td>the state could be seen before key and value</td></tr>
 *   <tr><td>wait for state</td><td>acquire</td><td>publish</td><td>as the load</td></tr>
 *   <tr><td>value of a FILLED slot</td><td>relaxed</td><td>each other</td>
 *       <td>a plain read beside an update is a race; updates order nothing but themselves</td></tr>
 * </table>
 *
 * <p>Keys are written between claim and publish, nowhere else. Progress: a thread that has claimed
 * a slot publishes it without waiting for anybody, so a waiter needs only that a thread once
 * started goes on (parallel forward progress); a wait ends after a number of polls in any case.
 * Nobody is woken: a slot is RESERVED for a few instructions, and a waiter looks again by itself.
 */
public final class LongSlots {

  /** The number of ints in a slot of the line layout, as a power of two. */
  private static final int LINE_SHIFT = 1 + Long.BYTES / Integer.BYTES;

  private LongSlots() {}

  /** Element of the states, as ints, that is the state of a slot. */
  public static long stateAt(int layout, long slot) {
    return slot << (LINE_SHIFT * layout);
  }

  /** Element of the keys that is the key of a slot. */
  public static long keyAt(int layout, long slot) {
    return (slot << (2 * layout)) + layout;
  }

  /** Element of the values that is the value of a slot. */
  public static long valueAt(int layout, long slot) {
    return (slot << (2 * layout)) + 2L * layout;
  }

  /**
   * Inserts a batch.
   *
   * @param layout REFERENCE, or LINE where {@code states}, {@code keys} and {@code values} are one
   *     memory
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
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      DeviceLongs inKeys,
      DeviceLongs inValues,
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
      long key = inKeys.get(i);
      long slot = Hashing.home(key, seed, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      while (outcome == SEARCHING) {
        long at = stateAt(layout, slot);
        // acquire: pairs with publish; key and value are seen where the slot is FILLED
        int state = states.loadAcquire(at);
        if (state == EMPTY) {
          state = claim(states, at, counters, options, pollLimit);
        }
        if (state == RESERVED) {
          state = states.waitWhileEqualAcquire(at, RESERVED, pollLimit);
        }
        if (state == EMPTY) {
          keys.set(keyAt(layout, slot), key);
          values.set(valueAt(layout, slot), inValues.get(i));
          // release: publishes key and value to loads, claims and waits
          states.storeRelease(at, FILLED);
          outcome = INSERTED;
        }
        boolean ended = state == RESERVED || state == NO_ROOM || state == ROOM_UNKNOWN;
        if (ended) {
          outcome = state == NO_ROOM ? FULL : STUCK;
        }
        if (state == FILLED) {
          boolean same = keys.get(keyAt(layout, slot)) == key;
          outcome = same ? PRESENT : slot == last ? FULL : SEARCHING;
          long next = slot + 1 == slots ? 0 : slot + 1;
          slot = outcome == SEARCHING ? next : slot;
        }
      }
      int change = outcome == PRESENT ? policy : KEEP;
      update(values, valueAt(layout, slot), inValues, i, change);
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
   * Claims a slot that was EMPTY; returns EMPTY if that succeeded, else the state, NO_ROOM or
   * ROOM_UNKNOWN.
   */
  static int claim(DeviceInts states, long at, DeviceLongs counters, int options, long pollLimit) {
    boolean bounded = (options & BOUNDED) != 0;
    int room = Room.TAKEN;
    if (bounded) {
      room = Room.take(counters, pollLimit);
    }
    int state = ROOM_UNKNOWN;
    if (room == Room.TAKEN) {
      // acquire: pairs with publish, where another thread was first
      state = states.compareAndExchangeAcquire(at, EMPTY, RESERVED);
      if (bounded) {
        Room.settle(counters, state == EMPTY);
      }
    }
    if (room == Room.NONE) {
      // acquire: pairs with publish; the last claims are seen, and one may be of this slot
      int now = states.loadAcquire(at);
      state = now == EMPTY ? NO_ROOM : now;
    }
    return state;
  }

  /**
   * Does what a policy says with the value of a FILLED slot; all atomic, since others may too. One
   * branch after another, since chains of them are not safe on devices.
   */
  static void update(DeviceLongs values, long at, DeviceLongs inValues, long i, int policy) {
    if (policy == FETCH) {
      inValues.set(i, values.loadRelaxed(at));
    }
    if (policy == MapCodes.ASSIGN) {
      values.storeRelaxed(at, inValues.get(i));
    }
    if (policy == MapCodes.ADD) {
      values.fetchAddRelaxed(at, inValues.get(i));
    }
    if (policy == MapCodes.MIN) {
      values.fetchMinRelaxed(at, inValues.get(i));
    }
    if (policy == MapCodes.MAX) {
      values.fetchMaxRelaxed(at, inValues.get(i));
    }
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
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      DeviceLongs inKeys,
      DeviceLongs outValues,
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
      long key = inKeys.get(i);
      long slot = Hashing.home(key, seed, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      while (outcome == SEARCHING) {
        int state = state(layout, states, keys, slot, options, pollLimit);
        if (state == FILLED) {
          boolean same = keys.get(keyAt(layout, slot)) == key;
          outcome = same ? FOUND : slot == last ? ABSENT : SEARCHING;
          long next = slot + 1 == slots ? 0 : slot + 1;
          slot = outcome == SEARCHING ? next : slot;
        } else {
          outcome = state == EMPTY ? ABSENT : STUCK;
        }
      }
      if ((options & VALUES) != 0 && outcome != SKIPPED) {
        outValues.set(i, outcome == FOUND ? value(values, valueAt(layout, slot), options) : 0);
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
   * The state of a slot; RESERVED only where a wait gave up. Where nobody inserts, a key other than
   * 0 says that its slot is FILLED, since keys of EMPTY slots are 0: then one load does for both.
   */
  static int state(
      int layout, DeviceInts states, DeviceLongs keys, long slot, int options, long pollLimit) {
    int state = FILLED;
    if ((options & QUIESCENT) == 0) {
      // acquire: pairs with publish
      state = states.waitWhileEqualAcquire(stateAt(layout, slot), RESERVED, pollLimit);
    }
    if ((options & QUIESCENT) != 0 && keys.get(keyAt(layout, slot)) == 0) {
      state = states.get(stateAt(layout, slot));
    }
    return state;
  }

  static long value(DeviceLongs values, long at, int options) {
    return (options & QUIESCENT) != 0 ? values.get(at) : values.loadRelaxed(at);
  }

  /**
   * Copies the entries of the slots from {@code from} to {@code to - 1} to the front of two arrays,
   * in no particular order; counts them in RETRIEVED, and slots left RESERVED in STUCK. Nobody may
   * insert at the same time.
   */
  public static void retrieve(
      int thread,
      int threads,
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      DeviceLongs outKeys,
      DeviceLongs outValues,
      DeviceLongs counters,
      long from,
      long to) {
    int stuck = 0;
    for (long slot = from + thread; slot < to; slot += threads) {
      int state = states.get(stateAt(layout, slot));
      if (state == FILLED) {
        long i = counters.fetchAddRelaxed(RETRIEVED, 1);
        outKeys.set(i, keys.get(keyAt(layout, slot)));
        outValues.set(i, values.loadRelaxed(valueAt(layout, slot)));
      }
      stuck += state == RESERVED ? 1 : 0;
    }
    counters.fetchAddRelaxed(STUCK, Lanes.sumOfPresent(stuck));
  }

  /** {@link LongSlots#insert} with its arguments. */
  public record Insert(
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      DeviceLongs inKeys,
      DeviceLongs inValues,
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
          layout,
          states,
          keys,
          values,
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

  /** {@link LongSlots#find} with its arguments. */
  public record Find(
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      DeviceLongs inKeys,
      DeviceLongs outValues,
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
          layout,
          states,
          keys,
          values,
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

  /** {@link LongSlots#retrieve} with its arguments. */
  public record Retrieve(
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      DeviceLongs outKeys,
      DeviceLongs outValues,
      DeviceLongs counters,
      long from,
      long to)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      retrieve(
          thread,
          shape.threads(),
          layout,
          states,
          keys,
          values,
          outKeys,
          outValues,
          counters,
          from,
          to);
    }
  }
}
