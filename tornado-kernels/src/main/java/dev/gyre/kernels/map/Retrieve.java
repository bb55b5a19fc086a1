package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.RETRIEVED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Copies the entries of a range of slots to the front of two arrays, in no particular order.
 * RETRIEVED counts entries, and STUCK counts slots that are still RESERVED. No thread may insert at
 * the same time.
 *
 * <p>A warp allocates places for the entries of many slots at once. It visits the slots twice, to
 * count and to copy.
 *
 * @param predicate selects entries
 * @param from index of the first slot
 * @param to index after the last slot; a side slot is after all others
 * @param capacity length of the arrays; further entries are only counted
 * @since 0.1.0
 */
public record Retrieve(
    Slots table,
    Numbers outKeys,
    Numbers outValues,
    EntryPredicate predicate,
    DeviceLongs counters,
    long from,
    long to,
    long capacity)
    implements Kernel {

  /** Slots per thread for which a warp allocates places at once. */
  private static final int SLOTS = 32;

  /** Slots that a thread loads ahead, because memory is slow. */
  private static final int AT_ONCE = 4;

  /** Bit of a result for a RESERVED slot; the lowest bit is for an entry. */
  private static final int STUCK_SHIFT = 8;

  /** Returns the number of threads that have work, for a number of slots. */
  public static long threads(long slots) {
    return Math.ceilDiv(slots, SLOTS);
  }

  /** Creates a retrieval of all entries, for which the arrays are long enough. */
  public Retrieve(
      Slots table, Numbers outKeys, Numbers outValues, DeviceLongs counters, long from, long to) {
    this(table, outKeys, outValues, new EntryPredicate.All(), counters, from, to, Long.MAX_VALUE);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    int width = Lanes.width();
    int lane = Lanes.index();
    int blockSize = shape.blockSize();
    int warp = thread % blockSize / width;
    long span = (long) SLOTS * blockSize;
    int stuck = 0;
    for (long at = from + thread / blockSize * span; at < to; at += shape.blocks() * span) {
      long begin = at + (long) warp * width * SLOTS;
      int chosen = 0;
      for (int i = 0; i < SLOTS; i += AT_ONCE) {
        long first = begin + (long) i * width + lane;
        long second = first + width;
        long third = second + width;
        long fourth = third + width;
        long seen = table.quiet(Math.min(first, to - 1));
        long seenSecond = table.quiet(Math.min(second, to - 1));
        long seenThird = table.quiet(Math.min(third, to - 1));
        long seenFourth = table.quiet(Math.min(fourth, to - 1));
        int one = look(first, seen);
        int two = look(second, seenSecond);
        int three = look(third, seenThird);
        int four = look(fourth, seenFourth);
        int entries = (one & 1) | (two & 1) << 1 | (three & 1) << 2 | (four & 1) << 3;
        chosen |= entries << i;
        stuck += (one + two + three + four) >> STUCK_SHIFT;
      }
      int all = Lanes.sumOfAll(Integer.bitCount(chosen));
      long place = 0;
      if (lane == 0 && all > 0) {
        // relaxed: allocates places for this warp only
        place = counters.fetchAddRelaxed(RETRIEVED, all);
      }
      place = Lanes.broadcast(place, 0);
      for (int i = 0; i < SLOTS; i++) {
        int is = (chosen >> i) & 1;
        int lanes = Lanes.ballot(is != 0);
        if (is != 0) {
          long slot = begin + (long) i * width + lane;
          long seen = table.quiet(slot);
          long out = place + Integer.bitCount(lanes & ((1 << lane) - 1));
          if (out < capacity) {
            outKeys.set(out, table.key(slot, seen));
            outValues.set(out, table.value(slot, seen, 0));
          }
        }
        place += Integer.bitCount(lanes);
      }
    }
    int allStuck = Lanes.sumOfPresent(stuck);
    if (allStuck != 0) {
      // relaxed: a count, which orders nothing
      counters.fetchAddRelaxed(STUCK, allStuck);
    }
  }

  /** Returns the state of a slot; nothing after the last slot. */
  private int look(long slot, long seen) {
    int found = 0;
    if (slot < to) {
      int state = table.stateOf(seen);
      if (state == FILLED) {
        found = predicate.test(table.key(slot, seen), table.value(slot, seen, 0)) ? 1 : 0;
      }
      found |= state == RESERVED ? 1 << STUCK_SHIFT : 0;
    }
    return found;
  }
}
