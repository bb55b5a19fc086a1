package dev.gyre.kernels.group;

/** Doubles as longs: as keys, and in an order that long comparisons keep. Device functions. */
public final class Reals {

  /** The only NaN among keys, as {@link Double#doubleToLongBits} has it. */
  private static final long NAN = 0x7ff8_0000_0000_0000L;

  private Reals() {}

  private static long bits(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return Double.isNaN(value) ? NAN : bits;
  }

  /** Returns the bits of a double as a key: one for NaN, and one for both zeros. */
  public static long key(double value) {
    return bits(value + 0.0);
  }

  /** Returns a long whose order is that of doubles: -0.0 before 0.0, and NaN last. */
  public static long ordered(double value) {
    return flipped(bits(value));
  }

  /** Returns the double of an ordered long. */
  public static double ofOrdered(long ordered) {
    return Double.longBitsToDouble(flipped(ordered));
  }

  private static long flipped(long bits) {
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }

  /**
   * Returns the error of a sum of two doubles (Knuth's TwoSum); 0 if it is not finite, as for an
   * infinite sum.
   */
  public static double error(double a, double b, double sum) {
    double ofB = sum - a;
    double error = (a - (sum - ofB)) + (b - ofB);
    return Double.isFinite(error) ? error : 0;
  }
}
