package dev.gyre.kernels.group;

import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.trie.KernelText;

/**
 * Format of rows without quotes, and where their key and numbers are. Device functions.
 *
 * @param separators the byte between two fields, in each byte of a word
 * @param fields number of fields of a row
 * @param key number of the field with the key, from 0
 * @param values bit i is set if field i is a number to aggregate
 * @param scales the digits after the point of each number, one byte each
 */
public record RowFormat(long separators, int fields, int key, long values, long scales) {

  /** Largest number of fields of a row. */
  public static final int MAX_FIELDS = Long.SIZE - 1;

  /** Largest number of fields that are aggregated. */
  public static final int MAX_VALUES = Long.BYTES;

  /** Largest number of digits of a number, also after it was scaled. */
  public static final int MAX_DIGITS = 18;

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = ONES << 7;
  private static final long LINE_ENDS = ONES * '\n';

  /**
   * A number, without its point.
   *
   * @param bad 0 if the field is such a number
   */
  record Decimal(long unscaled, int bad) {}

  /** Returns the format for a separator. */
  public static RowFormat of(char separator, int fields, int key, long values, long scales) {
    return new RowFormat(separator * ONES, fields, key, values, scales);
  }

  /** Returns whether a field is a number to aggregate. */
  boolean isValue(int field) {
    return ((values >> field) & 1) != 0;
  }

  /**
   * Returns the place after the first end of a line at or after a byte, or a place after a limit.
   */
  static long afterLine(KernelText text, long from, long limit) {
    long at = from;
    boolean more = at < limit;
    while (more) {
      long found = zeros(text.eightAt(at) ^ LINE_ENDS);
      at += before(found);
      more = found == 0 && at < limit;
    }
    return at + 1;
  }

  /** Returns the place of the first separator or end of a line at or after a byte. */
  long end(KernelText text, long from) {
    long at = from;
    boolean more = at < text.length();
    while (more) {
      long eight = text.eightAt(at);
      long found = zeros(eight ^ separators) | zeros(eight ^ LINE_ENDS);
      at += before(found);
      more = found == 0 && at < text.length();
    }
    return Math.min(at, text.length());
  }

  /** Returns the highest bits of bytes that are 0; only the lowest such bit is right. */
  private static long zeros(long bytes) {
    return (bytes - ONES) & ~bytes & HIGH_BITS;
  }

  /** Returns the number of bytes before the first one whose highest bit is set; 8 if none is. */
  private static long before(long marks) {
    long first = Unsigned.shiftRight(marks & -marks, 7);
    return Unsigned.shiftRight(((first - 1) & ONES) * ONES, Long.SIZE - Byte.SIZE);
  }

  /** Reads the number in some bytes. */
  Decimal decimal(KernelText text, long from, long to, int value) {
    int scale = (int) (scales >> (value << 3)) & 0xff;
    long at = from;
    long negative = text.bytes().getUnsigned(at) == '-' ? 1 : 0;
    at += negative;
    long unscaled = 0;
    int points = 0;
    int digits = 0;
    int fraction = 0;
    int bad = 0;
    // More bytes than a number has are not read.
    long end = Math.min(to, at + MAX_DIGITS + 2);
    while (at < end) {
      int digit = text.bytes().getUnsigned(at) - '0';
      // All bits if it is no digit. Comparisons could become unsigned ones.
      int other = (digit | (9 - digit)) >> 31;
      int point = digit == '.' - '0' ? 1 : 0;
      unscaled = other == 0 ? 10 * unscaled + digit : unscaled;
      digits += other + 1;
      fraction += (other + 1) & -points;
      points += point;
      bad |= (other + point) | (points >> 1);
      at++;
    }
    int zeros = scale - fraction;
    bad |= (zeros | (digits - 1) | (MAX_DIGITS - digits - zeros)) >> 31;
    bad |= at < to ? 1 : 0;
    for (int i = 0; i < zeros; i++) {
      unscaled *= 10;
    }
    return new Decimal((unscaled ^ -negative) + negative, bad);
  }
}
