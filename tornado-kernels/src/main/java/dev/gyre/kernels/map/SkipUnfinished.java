package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Marks the PENDING and STUCK keys of a batch as SKIPPED: they were not tried.
 *
 * @since 0.1.0
 */
public record SkipUnfinished(Bytes outcomes, long from, long to) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long i = from + thread; i < to; i += shape.threads()) {
      byte outcome = outcomes.get(i);
      if (outcome == PENDING || outcome == STUCK) {
        outcomes.set(i, SKIPPED);
      }
    }
  }
}
