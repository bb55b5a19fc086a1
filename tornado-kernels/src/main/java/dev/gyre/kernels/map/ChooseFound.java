package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.FOUND;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Chooses among the keys that a find has found: others are ABSENT, with 0 for their value.
 *
 * @param counters to which is added that there are more ABSENT and fewer FOUND
 * @param from the first key
 * @param to the one after the last
 * @param options STRIPED or none
 */
public record ChooseFound(
    Batch batch, EntryPredicate predicate, DeviceLongs counters, long from, long to, int options)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = batch.keys();
    Numbers values = batch.values();
    Bytes outcomes = batch.outcomes();
    int others = 0;
    for (long i = from + thread; i < to; i += shape.threads()) {
      // Of no other: a key that is absent has no value that the predicate could be asked of.
      boolean other = false;
      if (outcomes.get(i) == FOUND) {
        other = !predicate.test(keys.get(i), values.get(i));
      }
      if (other) {
        outcomes.set(i, ABSENT);
        values.set(i, 0);
        others++;
      }
    }
    Counting.add(counters, thread, FOUND, -others, options);
    Counting.add(counters, thread, ABSENT, others, options);
  }
}
