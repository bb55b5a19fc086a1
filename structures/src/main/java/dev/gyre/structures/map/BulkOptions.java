package dev.gyre.structures.map;

import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextPredicate;
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
  public static final BulkOptions NONE = new BulkOptions(null, null, null, null);

  private final boolean @Nullable [] mask;
  private final byte @Nullable [] outcomes;

  private final @Nullable EntryPredicate entries;
  private final @Nullable TextPredicate texts;

  private BulkOptions(
      boolean @Nullable [] mask,
      byte @Nullable [] outcomes,
      @Nullable EntryPredicate entries,
      @Nullable TextPredicate texts) {
    this.mask = mask;
    this.outcomes = outcomes;
    this.entries = entries;
    this.texts = texts;
  }

  /** Leaves out the keys whose element is false; one element per key. */
  public BulkOptions where(boolean[] mask) {
    return new BulkOptions(Objects.requireNonNull(mask, "mask"), outcomes, entries, texts);
  }

  /**
   * Leaves out the keys whose entries a predicate does not hold for, of those that a mask leaves
   * in. An insert asks it of a key and the value that comes with it; other keys are SKIPPED. A find
   * asks it of a key and the value that the map has; other keys are ABSENT. Of a set, each number
   * is its own value, and texts have the value 0.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  public BulkOptions where(EntryPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(mask, outcomes, predicate, null);
  }

  /** {@link #where(EntryPredicate)} of keys that are texts. */
  public BulkOptions whereText(TextPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return new BulkOptions(mask, outcomes, null, predicate);
  }

  /** Writes the {@linkplain Outcome#code code} of each key's outcome; one element per key. */
  public BulkOptions outcomes(byte[] outcomes) {
    return new BulkOptions(mask, Objects.requireNonNull(outcomes, "outcomes"), entries, texts);
  }

  /** Which keys to take; all if null. */
  @Internal
  public boolean @Nullable [] mask() {
    return mask;
  }

  /** What an operation on numbers asks, if anything. */
  @Internal
  public @Nullable EntryPredicate entries() {
    if (texts != null) {
      throw new IllegalArgumentException("keys are numbers here: choose by an EntryPredicate");
    }
    return entries;
  }

  /** What an operation on texts asks, if anything. */
  @Internal
  public @Nullable TextPredicate texts() {
    if (entries != null) {
      throw new IllegalArgumentException("keys are texts here: choose by a TextPredicate");
    }
    return texts;
  }

  /** Whether all keys are taken, of an insert. */
  @Internal
  public boolean takeAll() {
    return mask == null && entries == null && texts == null;
  }

  /** Whether there is nothing to do beside the work. */
  @Internal
  public boolean isNone() {
    return takeAll() && outcomes == null;
  }

  /** A start for the outcome of a key: SKIPPED where the mask says so, else PENDING. */
  @Internal
  public byte start(long key) {
    return mask == null || mask[(int) key] ? MapCodes.PENDING : MapCodes.SKIPPED;
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
