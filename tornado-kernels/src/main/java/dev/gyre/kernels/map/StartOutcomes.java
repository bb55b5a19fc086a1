package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Says which keys of a batch are to be taken: PENDING those that have a code, others SKIPPED.
 *
 * @param codes a byte per key; may be the outcomes
 * @param code an outcome, or {@link #ALL}, or none
 */
public record StartOutcomes(Bytes codes, int code, Bytes outcomes, long keys) implements Kernel {

  /** Whatever the code is. */
  public static final int ALL = -1;

  /** No byte is that. */
  private static final int NONE = 1 << Byte.SIZE;

  /** Says of all keys that they are SKIPPED. */
  public static StartOutcomes skipping(Bytes outcomes, long keys) {
    return new StartOutcomes(outcomes, NONE, outcomes, keys);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long i = thread; i < keys; i += shape.threads()) {
      boolean takes = code == ALL;
      if (code != ALL) {
        takes = codes.get(i) == code;
      }
      outcomes.set(i, takes ? PENDING : SKIPPED);
    }
  }
}
