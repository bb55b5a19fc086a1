package dev.gyre.kernels.map;

/**
 * The columns of a value that is a record, in their order, as kernels give them to a map and are
 * given them: each in a word, of which an int or a float takes the lower half. What the record does
 * not have is 0. Device functions.
 *
 * <pre>{@code
 * new RowParts(RowParts.word(0.5), 7, 0, 0) // of record Traffic(double bytes, long latest)
 * }</pre>
 */
public record RowParts(long first, long second, long third, long fourth) {

  /** The word of an int. */
  public static long word(int number) {
    return number & 0xffff_ffffL;
  }

  /** The word of a float. */
  public static long word(float number) {
    return Float.floatToRawIntBits(number) & 0xffff_ffffL;
  }

  /** The word of a double. */
  public static long word(double number) {
    return Double.doubleToRawLongBits(number);
  }

  /** The int of a word. */
  public static int toInt(long word) {
    return (int) word;
  }

  /** The float of a word. */
  public static float toFloat(long word) {
    return Float.intBitsToFloat((int) word);
  }

  /** The double of a word. */
  public static double toDouble(long word) {
    return Double.longBitsToDouble(word);
  }

  /** The first words of a row, which nobody writes to; there is one at least. */
  static RowParts of(Rows rows, long row, int words) {
    KeyParts all = Rows.parts(rows, row, words);
    return new RowParts(all.first(), all.second(), all.third(), all.fourth());
  }

  /** These as a row. */
  Rows row() {
    return new Rows.One(first, second, third, fourth);
  }
}
