package dev.gyre.atomics;

/**
 * Unsigned arithmetic for device functions.
 *
 * <p>A device function uses these methods in place of {@code >>>} and of comparisons that a
 * compiler may turn into unsigned comparisons: some device compilers get these wrong. Here every
 * target gives the same bits. Shift distances count modulo the width of the value, as in Java.
 *
 * @since 0.1.0
 */
public final class Unsigned {

  private Unsigned() {}

  /** Returns {@code value >>> distance}. */
  public static int shiftRight(int value, int distance) {
    return value >>> distance;
  }

  /** Returns {@code value >>> distance}. */
  public static long shiftRight(long value, int distance) {
    return value >>> distance;
  }

  /** Returns whether {@code a < b} as unsigned numbers. */
  public static boolean lessThan(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0;
  }

  /** Returns whether {@code a < b} as unsigned numbers. */
  public static boolean lessThan(long a, long b) {
    return Long.compareUnsigned(a, b) < 0;
  }

  /** Returns the upper 64 of the 128 bits of {@code a * b} as unsigned numbers. */
  public static long multiplyHigh(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b);
  }

  /** Returns {@code value} as an unsigned number, from 0 to 2^32 - 1. */
  public static long toLong(int value) {
    return value & 0xffff_ffffL;
  }
}
