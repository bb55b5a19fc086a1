package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Copies the values of the keys of a batch that are to be taken.
 *
 * @param options MASKED, where not all are
 */
public record CopyTaken(Numbers from, Numbers to, Bytes outcomes, int options, long keys)
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
