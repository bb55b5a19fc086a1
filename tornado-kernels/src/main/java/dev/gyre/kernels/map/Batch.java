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
 * Keys that a kernel works on, with what belongs to each.
 *
 * @param keys the keys; of texts, the {@linkplain TextLayout places} where they are
 * @param values to be inserted; or where values that are found go
 * @param outcomes per key; used with MASKED, AGAIN and OUTCOMES only
 */
public record Batch(Numbers keys, Numbers values, Bytes outcomes) {

  static Batch of(Portion keys) {
    return new Batch(Numbers.of(keys.keys()), Numbers.of(keys.values()), keys.outcomes());
  }

  /** Whether options do not leave a key out. */
  public static boolean takes(Bytes outcomes, long i, int options) {
    return begin(outcomes, i, options) == SEARCHING;
  }

  /** SEARCHING, or SKIPPED where options say that a key is left out. */
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

  /** Writes what has become of a key, where that is asked for. */
  static void end(Bytes outcomes, long i, int outcome, int options) {
    if ((options & OUTCOMES) != 0 && outcome != SKIPPED) {
      outcomes.set(i, (byte) outcome);
    }
  }
}
