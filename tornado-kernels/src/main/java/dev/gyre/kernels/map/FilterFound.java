package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.FOUND;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Applies a predicate to the keys that a lookup has found: other keys become ABSENT, with value 0.
 *
 * @param counters counters of FOUND and ABSENT, which are corrected
 * @param from index of the first key
 * @param to index after the last key
 * @param options STRIPED or none
 * @since 0.1.0
 */
public record FilterFound(
    Batch batch, EntryPredicate predicate, DeviceLongs counters, long from, long to, int options)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = batch.keys();
    Numbers values = batch.values();
    Bytes outcomes = batch.outcomes();
    int others = 0;
    for (long i = from + thread; i < to; i += shape.threads()) {
      // Only for found keys: an absent key has no value for the predicate.
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
