package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Columns of a record value, in order, as kernels pass them to a map and receive them. Device
 * functions.
 *
 * <pre>{@code
 * new RowParts(RowParts.word(0.5), 7, 0, 0) // of record Traffic(double bytes, long latest)
 * }</pre>
 *
 * <p>Each column is a word. An int or a float is in the lower half of its word. Missing columns are
 * 0.
 *
 * @since 0.1.0
 */
public record RowParts(long first, long second, long third, long fourth) {

  /** Returns the word of an int. */
  public static long word(int number) {
    return number & 0xffff_ffffL;
  }

  /** Returns the word of a float. */
  public static long word(float number) {
    return Float.floatToRawIntBits(number) & 0xffff_ffffL;
  }

  /** Returns the word of a double. */
  public static long word(double number) {
    return Double.doubleToRawLongBits(number);
  }

  /** Returns the int of a word. */
  public static int toInt(long word) {
    return (int) word;
  }

  /** Returns the float of a word. */
  public static float toFloat(long word) {
    return Float.intBitsToFloat((int) word);
  }

  /** Returns the double of a word. */
  public static double toDouble(long word) {
    return Double.longBitsToDouble(word);
  }

  /** Returns the first words of a row that no thread writes; at least one. */
  static RowParts of(Rows rows, long row, int words) {
    KeyParts all = Rows.parts(rows, row, words);
    return new RowParts(all.first(), all.second(), all.third(), all.fourth());
  }

  /** Returns these columns as a row. */
  @Internal
  public Rows row() {
    return new Rows.One(first, second, third, fourth);
  }
}
