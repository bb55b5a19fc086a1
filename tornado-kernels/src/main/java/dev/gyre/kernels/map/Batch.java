package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.AGAIN;
import static dev.gyre.kernels.map.MapCodes.MASKED;
import static dev.gyre.kernels.map.MapCodes.OUTCOMES;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;

/**
 * Keys of a kernel, with their values and outcomes.
 *
 * @param keys the keys; for texts, their {@linkplain TextLayout places}
 * @param values values to insert, or destination of values that are found
 * @param outcomes outcome of each key; used with MASKED, AGAIN and OUTCOMES only
 * @since 0.1.0
 */
public record Batch(Numbers keys, Numbers values, Bytes outcomes) {

  static Batch of(BatchRange keys) {
    return new Batch(Numbers.of(keys.keys()), Numbers.of(keys.values()), keys.outcomes());
  }

  /** Returns whether the options include a key. */
  public static boolean takes(Bytes outcomes, long i, int options) {
    return begin(outcomes, i, options) == SEARCHING;
  }

  /** Returns SEARCHING, or SKIPPED if the options exclude the key. */
  static int begin(Bytes outcomes, long i, int options) {
    int outcome = SEARCHING;
    if ((options & MASKED) != 0) {
      outcome = outcomes.get(i) == PENDING ? SEARCHING : SKIPPED;
    }
    if ((options & AGAIN) != 0) {
      outcome = outcomes.get(i) == STUCK ? SEARCHING : SKIPPED;
    }
    return outcome;
  }

  /** Writes the outcome of a key, if the options ask for it. */
  static void end(Bytes outcomes, long i, int outcome, int options) {
    if ((options & OUTCOMES) != 0 && outcome != SKIPPED) {
      outcomes.set(i, (byte) outcome);
    }
  }
}
