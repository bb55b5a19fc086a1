package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Sets the outcomes of a batch before an operation: PENDING for keys with a code, SKIPPED for
 * others.
 *
 * @param codes a byte per key; may be the outcomes
 * @param code an outcome, or {@link #ALL}, or none
 * @since 0.1.0
 */
public record StartOutcomes(Bytes codes, int code, Bytes outcomes, long keys) implements Kernel {

  /** Any code. */
  public static final int ALL = -1;

  /** A code that no byte has. */
  private static final int NONE = 1 << Byte.SIZE;

  /** Returns a kernel that marks all keys as SKIPPED. */
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
