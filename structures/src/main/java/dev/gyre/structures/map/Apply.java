package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;

/** What {@code insertOrApply} makes of the value present and the one that comes. */
public enum Apply {
  /**
   * The sum, wrapping around as Java's do: one more than the largest value is the smallest, and
   * nothing says so. Counts that may pass the largest int want a map to long.
   */
  ADD(MapCodes.ADD),
  /** The smaller, signed. */
  MIN(MapCodes.MIN),
  /** The larger, signed. */
  MAX(MapCodes.MAX),
  /** The one that comes. */
  ASSIGN(MapCodes.ASSIGN),
  /** The bits that both have. */
  AND(MapCodes.AND),
  /** The bits that one of them has, or both. */
  OR(MapCodes.OR),
  /** The bits that one of them has, and not both. */
  XOR(MapCodes.XOR);

  /** Made once, for the sake of single keys. */
  @SuppressWarnings("ImmutableEnumChecker") // A number.
  private final Change.Policy change;

  Apply(int policy) {
    this.change = new Change.Policy(policy);
  }

  /** What a value becomes. */
  @Internal
  public long result(long value, long operand) {
    return change.applied(value, operand);
  }

  /** This for kernels. */
  @Internal
  public Change change() {
    return change;
  }
}
