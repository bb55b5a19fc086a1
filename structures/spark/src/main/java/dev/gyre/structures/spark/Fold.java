package dev.gyre.structures.spark;

import dev.gyre.structures.map.Apply;
import org.jspecify.annotations.Nullable;

/**
 * How the values of equal keys are combined.
 *
 * @since 0.1.0
 */
public enum Fold {
  /** The sum, with wrap-around, as in Java. */
  ADD(Apply.ADD),
  /** The smallest value, signed. */
  MIN(Apply.MIN),
  /** The largest value, signed. */
  MAX(Apply.MAX),
  /** One of the values; it may differ from run to run. */
  ASSIGN(null);

  private final @Nullable Apply apply;

  Fold(@Nullable Apply apply) {
    this.apply = apply;
  }

  /** Returns the operation of maps; null if one value replaces another. */
  @Nullable Apply apply() {
    return apply;
  }

  long of(long value, long other) {
    return switch (this) {
      case ADD -> value + other;
      case MIN -> Math.min(value, other);
      case MAX -> Math.max(value, other);
      case ASSIGN -> other;
    };
  }
}
