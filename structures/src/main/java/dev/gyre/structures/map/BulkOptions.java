package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Internal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk operation does beside its work: leave keys out, and say what became of each.
 *
 * <p>Immutable; {@link #NONE} is the start: {@code BulkOptions.NONE.where(mask).outcomes(codes)}.
 */
public final class BulkOptions {

  /** All keys, and no outcomes but in sum. */
  public static final BulkOptions NONE = new BulkOptions(null, null);

  private final boolean @Nullable [] mask;
  private final byte @Nullable [] outcomes;

  private BulkOptions(boolean @Nullable [] mask, byte @Nullable [] outcomes) {
    this.mask = mask;
    this.outcomes = outcomes;
  }

  /** Leaves out the keys whose element is false; one element per key. */
  public BulkOptions where(boolean[] mask) {
    return new BulkOptions(Objects.requireNonNull(mask, "mask"), outcomes);
  }

  /** Writes the {@linkplain Outcome#code code} of each key's outcome; one element per key. */
  public BulkOptions outcomes(byte[] outcomes) {
    return new BulkOptions(mask, Objects.requireNonNull(outcomes, "outcomes"));
  }

  /** Which keys to take; all if null. */
  @Internal
  public boolean @Nullable [] mask() {
    return mask;
  }

  /** Where to write outcomes; nowhere if null. */
  @Internal
  public byte @Nullable [] outcomes() {
    return outcomes;
  }

  /** Writes that no key was looked at yet. */
  @Internal
  public void skipAll() {
    if (outcomes != null) {
      Arrays.fill(outcomes, MapCodes.SKIPPED);
    }
  }

  void check(long keys) {
    if (mask != null && mask.length != keys) {
      throw new IllegalArgumentException(
          keys + " keys need a mask of as many elements, not " + mask.length);
    }
    if (outcomes != null && outcomes.length != keys) {
      throw new IllegalArgumentException(
          keys + " keys need an array of as many outcomes, not " + outcomes.length);
    }
  }
}
