package dev.gyre.datasets;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reader of numbers of any length: a sign, digits with or without a point, and an exponent; or
 * {@code NaN}, {@code inf} and {@code infinity} in any case. For one thread.
 */
final class CsvNumber {

  /** What a field is. */
  enum Kind {
    /** Digits with at most 18 after a point, which fit in a long without the point. */
    DECIMAL,
    /** Another number. */
    REAL,
    NO_NUMBER
  }

  /** 10<sup>18</sup>: decimals have at most 18 digits. */
  static final long LIMIT = 1_000_000_000_000_000_000L;

  static final long[] POWERS = new long[CsvColumn.MAX_SCALE + 1];

  /** Longs below this are doubles. */
  private static final long EXACT = 1L << 53;

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private MemorySegment text = MemorySegment.NULL;
  private long from;
  private long to;
  private long at;
  private boolean fits;

  /** The digits as a long. */
  long unscaled;

  /** Number of digits after the point. */
  int fraction;

  /** Reads a field. */
  Kind read(MemorySegment in, long begin, long end) {
    text = in;
    from = begin;
    to = end;
    at = begin;
    unscaled = 0;
    fits = true;
    boolean negative = skipSign();
    long digits = digits(negative);
    long after = 0;
    if (peek() == '.') {
      at++;
      after = digits(negative);
    }
    if (digits + after == 0) {
      return isWord() ? Kind.REAL : Kind.NO_NUMBER;
    }
    fraction = (int) Math.min(after, Integer.MAX_VALUE);
    if (at == to) {
      return fits && fraction <= CsvColumn.MAX_SCALE ? Kind.DECIMAL : Kind.REAL;
    }
    int exponent = peek() | 0x20;
    at++;
    boolean _ = skipSign();
    fits = false;
    return exponent == 'e' && digits(false) > 0 && at == to ? Kind.REAL : Kind.NO_NUMBER;
  }

  /** Returns the number that was read as the nearest double. */
  double real() {
    if (fits && unscaled != 0 && Math.abs(unscaled) < EXACT && fraction <= CsvColumn.MAX_SCALE) {
      // Both are exact, so that the quotient is rounded once.
      return unscaled / (double) POWERS[fraction];
    }
    String number = string().toLowerCase(Locale.ROOT);
    return switch (number.replaceFirst("^[+-]", "")) {
      case "nan" -> Double.NaN;
      case "inf", "infinity" ->
          number.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> Double.parseDouble(number);
    };
  }

  private String string() {
    return new String(
        text.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  private int peek() {
    return at < to ? text.get(ValueLayout.JAVA_BYTE, at) : -1;
  }

  private boolean skipSign() {
    int sign = peek();
    at += sign == '-' || sign == '+' ? 1 : 0;
    return sign == '-';
  }

  /** Appends digits to the number, and returns how many there are. */
  private long digits(boolean negative) {
    long begin = at;
    for (int digit = peek() - '0'; digit >= 0 && digit <= 9; digit = peek() - '0') {
      int add = negative ? -digit : digit;
      long ten = 10 * unscaled;
      long next = ten + add;
      fits &= Math.multiplyHigh(unscaled, 10) == ten >> 63 && ((ten ^ next) & (add ^ next)) >= 0;
      unscaled = next;
      at++;
    }
    return at - begin;
  }

  private boolean isWord() {
    fits = false;
    return to - from <= "-infinity".length() && string().matches("(?i)[+-]?(nan|inf|infinity)");
  }
}
