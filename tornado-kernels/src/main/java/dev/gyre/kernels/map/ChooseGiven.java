package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Chooses which keys of a batch an insert takes: of those that are PENDING, others are SKIPPED.
 *
 * @param from the first key
 * @param to the one after the last
 */
public record ChooseGiven(Batch batch, EntryPredicate predicate, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = batch.keys();
    Numbers values = batch.values();
    Bytes outcomes = batch.outcomes();
    for (long i = from + thread; i < to; i += shape.threads()) {
      // Of no other: what a mask leaves out may be nothing that the predicate knows.
      if (outcomes.get(i) == PENDING) {
        boolean chosen = predicate.test(keys.get(i), values.get(i));
        outcomes.set(i, chosen ? PENDING : SKIPPED);
      }
    }
  }
}
