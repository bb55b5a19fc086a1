package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;

/**
 * How {@code insertOrApply} and {@code merge} combine the present value of a key and a new one.
 *
 * @since 0.1.0
 */
public enum Apply {
  /**
   * The sum, which wraps around without an error, as in Java. Use a map to long if counts may
   * exceed the largest int.
   */
  ADD(MapCodes.ADD),
  /** The smaller value, signed. */
  MIN(MapCodes.MIN),
  /** The larger value, signed. */
  MAX(MapCodes.MAX),
  /** The new value. */
  ASSIGN(MapCodes.ASSIGN),
  /** The bitwise and. */
  AND(MapCodes.AND),
  /** The bitwise or. */
  OR(MapCodes.OR),
  /** The bitwise exclusive or. */
  XOR(MapCodes.XOR);

  /** Created once, because operations on single keys use it. */
  @SuppressWarnings("ImmutableEnumChecker") // A number.
  private final Change.Policy change;

  Apply(int policy) {
    this.change = new Change.Policy(policy);
  }

  /** Returns the combined value. */
  @Internal
  public long result(long value, long operand) {
    return change.applied(value, operand);
  }

  /** Returns this operation for kernels. */
  @Internal
  public Change change() {
    return change;
  }
}
