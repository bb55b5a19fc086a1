package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Copies the values of the included keys of a batch.
 *
 * @param options MASKED if not all keys are included
 * @since 0.1.0
 */
public record CopyIncluded(Numbers from, Numbers to, Bytes outcomes, int options, long keys)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long i = thread; i < keys; i += shape.threads()) {
      if (Batch.takes(outcomes, i, options)) {
        to.set(i, from.get(i));
      }
    }
  }
}
