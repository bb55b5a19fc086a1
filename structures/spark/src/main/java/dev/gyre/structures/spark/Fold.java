package dev.gyre.structures.spark;

import dev.gyre.structures.map.Apply;
import org.jspecify.annotations.Nullable;

/** What becomes of the values of equal keys. */
public enum Fold {
  /** The sum, wrapping around as Java's do. */
  ADD(Apply.ADD),
  /** The smallest, signed. */
  MIN(Apply.MIN),
  /** The largest, signed. */
  MAX(Apply.MAX),
  /** Any one of them; which, may be another one in another run. */
  ASSIGN(null);

  private final @Nullable Apply apply;

  Fold(@Nullable Apply apply) {
    this.apply = apply;
  }

  /** What maps call it; null where one value takes the place of another. */
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
