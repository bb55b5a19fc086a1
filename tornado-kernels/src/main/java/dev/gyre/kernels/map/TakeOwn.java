package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STRIPED;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Says which keys of a batch are to be taken where several tables are given the same batch: PENDING
 * those that belong to one of them, others SKIPPED; and counts them, as PENDING.
 *
 * @param own the number of that table
 * @param options MASKED, where those are left out that are not PENDING before
 */
public record TakeOwn(
    Numbers keys, Homes homes, int own, Bytes outcomes, DeviceLongs counters, int options, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = this.keys.copy();
    Bytes outcomes = this.outcomes;
    long to = this.to;
    int count = 0;
    for (long i = thread; i < to; i += shape.threads()) {
      boolean taken = homes.of(keys.get(i)) == own;
      if ((options & MapCodes.MASKED) != 0) {
        taken = taken & outcomes.get(i) == PENDING;
      }
      outcomes.set(i, taken ? PENDING : SKIPPED);
      count += taken ? 1 : 0;
    }
    Counting.add(counters, thread, PENDING, count, STRIPED);
  }
}
