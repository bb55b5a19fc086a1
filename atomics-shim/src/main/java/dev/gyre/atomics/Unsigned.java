package dev.gyre.atomics;

/**
 * Unsigned arithmetic for device functions.
 *
 * <p>A device function uses these in place of {@code >>>} and of comparisons that a compiler may
 * turn into unsigned ones: some device compilers get those wrong, and every target gives the same
 * bits here. Shift distances count modulo the width of the value, as in Java.
 */
public final class Unsigned {

  private Unsigned() {}

  /** {@code value >>> distance}. */
  public static int shiftRight(int value, int distance) {
    return value >>> distance;
  }

  /** {@code value >>> distance}. */
  public static long shiftRight(long value, int distance) {
    return value >>> distance;
  }

  /** Whether {@code a < b} as unsigned numbers. */
  public static boolean lessThan(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0;
  }

  /** Whether {@code a < b} as unsigned numbers. */
  public static boolean lessThan(long a, long b) {
    return Long.compareUnsigned(a, b) < 0;
  }

  /** The upper 64 of the 128 bits of {@code a * b} as unsigned numbers. */
  public static long multiplyHigh(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b);
  }

  /** {@code value} as an unsigned number, from 0 to 2^32 - 1. */
  public static long toLong(int value) {
    return value & 0xffff_ffffL;
  }
}
