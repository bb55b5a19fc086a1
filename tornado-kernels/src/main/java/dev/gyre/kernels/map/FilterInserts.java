package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Applies a predicate to the keys of an insert: PENDING keys for which it returns false become
 * SKIPPED.
 *
 * @param from index of the first key
 * @param to index after the last key
 * @since 0.1.0
 */
public record FilterInserts(Batch batch, EntryPredicate predicate, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = batch.keys();
    Numbers values = batch.values();
    Bytes outcomes = batch.outcomes();
    for (long i = from + thread; i < to; i += shape.threads()) {
      // Only for PENDING keys: the predicate may not handle keys that a mask excludes.
      if (outcomes.get(i) == PENDING) {
        boolean chosen = predicate.test(keys.get(i), values.get(i));
        outcomes.set(i, chosen ? PENDING : SKIPPED);
      }
    }
  }
}
