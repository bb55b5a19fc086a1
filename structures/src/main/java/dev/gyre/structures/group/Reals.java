package dev.gyre.structures.group;

/** Doubles as longs: as keys, and in an order that long comparisons keep. */
final class Reals {

  private Reals() {}

  /** Returns the bits of a double as a key: one for NaN, and one for both zeros. */
  static long key(double value) {
    return Double.doubleToLongBits(value + 0.0);
  }

  /** Returns a long whose order is that of doubles: -0.0 before 0.0, and NaN last. */
  static long ordered(double value) {
    return flipped(Double.doubleToLongBits(value));
  }

  /** Returns the double of an ordered long. */
  static double ofOrdered(long ordered) {
    return Double.longBitsToDouble(flipped(ordered));
  }

  private static long flipped(long bits) {
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }

  /**
   * Returns the error of a sum of two doubles (Knuth's TwoSum); 0 if it is not finite, as for an
   * infinite sum.
   */
  static double error(double a, double b, double sum) {
    double ofB = sum - a;
    double error = (a - (sum - ofB)) + (b - ofB);
    return Double.isFinite(error) ? error : 0;
  }
}
