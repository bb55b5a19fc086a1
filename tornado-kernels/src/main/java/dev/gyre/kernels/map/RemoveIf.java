package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Removes the entries of a range of slots for which a predicate returns true. FOUND counts them. No
 * other thread may update the table at the same time.
 *
 * @param from index of the first slot
 * @param to index after the last slot; side slots are after all others
 * @since 0.1.0
 */
public record RemoveIf(
    Slots table, EntryPredicate predicate, DeviceLongs counters, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int removed = 0;
    for (long slot = from + thread; slot < to; slot += shape.threads()) {
      long seen = table.quiet(slot);
      boolean chosen = false;
      if (table.stateOf(seen) == FILLED) {
        chosen = predicate.test(table.key(slot, seen), table.value(slot, seen, 0));
      }
      if (chosen) {
        removed += table.remove(slot, seen, 1) == FOUND ? 1 : 0;
      }
    }
    Counting.add(counters, thread, FOUND, removed, 0);
  }
}
