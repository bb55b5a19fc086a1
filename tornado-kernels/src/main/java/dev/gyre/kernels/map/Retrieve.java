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
 * Copies the entries of a range of slots to the front of two arrays, in no particular order; counts
 * them in RETRIEVED, and slots left RESERVED in STUCK. Nobody may insert at the same time.
 *
 * @param predicate which entries
 * @param from the first slot
 * @param to the one after the last; a side slot is behind all others
 * @param room length of the arrays; of more entries, some are counted only
 */
public record Retrieve(
    Slots table,
    Numbers outKeys,
    Numbers outValues,
    EntryPredicate predicate,
    DeviceLongs counters,
    long from,
    long to,
    long room)
    implements Kernel {

  /** Of all entries, for which there is room. */
  public Retrieve(
      Slots table, Numbers outKeys, Numbers outValues, DeviceLongs counters, long from, long to) {
    this(table, outKeys, outValues, new EntryPredicate.All(), counters, from, to, Long.MAX_VALUE);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    int stuck = 0;
    for (long slot = from + thread; slot < to; slot += shape.threads()) {
      long seen = table.quiet(slot);
      long beside = table.quietBeside(slot);
      int state = table.state(seen, beside);
      if (state == FILLED) {
        long key = table.key(slot, seen);
        long value = table.value(slot, seen, beside, 0);
        if (predicate.test(key, value)) {
          long i = counters.fetchAddRelaxed(RETRIEVED, 1);
          if (i < room) {
            outKeys.set(i, key);
            outValues.set(i, value);
          }
        }
      }
      stuck += state == RESERVED ? 1 : 0;
    }
    // relaxed: a count, which orders nothing
    counters.fetchAddRelaxed(STUCK, Lanes.sumOfPresent(stuck));
  }
}
