package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Internal;

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
  MAX(MapCodes.MAX);

  private final int policy;

  Apply(int policy) {
    this.policy = policy;
  }

  /** What a value becomes. */
  @Internal
  public long result(long value, long operand) {
    return switch (this) {
      case ADD -> value + operand;
      case MIN -> Math.min(value, operand);
      case MAX -> Math.max(value, operand);
    };
  }

  /** What a value becomes. */
  @Internal
  public int result(int value, int operand) {
    return switch (this) {
      case ADD -> value + operand;
      case MIN -> Math.min(value, operand);
      case MAX -> Math.max(value, operand);
    };
  }

  /** This as one of {@link MapCodes}. */
  @Internal
  public int policy() {
    return policy;
  }
}
