package dev.gyre.datasets;

import java.util.Objects;

/**
 * Column that a {@link CsvScanner} delivers.
 *
 * @param name name of the column
 * @param type type of its fields
 * @param scale digits after the point of decimals; otherwise 0
 * @since 0.1.0
 */
public record CsvColumn(String name, Type type, int scale) {

  /** Largest scale of decimals. */
  public static final int MAX_SCALE = 18;

  /** Type of the fields of a column. */
  public enum Type {
    /** Bytes, without quotes around them. */
    TEXT,
    /**
     * Numbers without an exponent, as longs: the value times 10<sup>scale</sup>. With scale 0 they
     * are all longs, otherwise decimals of at most 18 digits.
     */
    DECIMAL,
    /** Numbers as the nearest double. */
    DOUBLE
  }

  /**
   * Creates a column.
   *
   * @throws IllegalArgumentException if the scale is not from 0 to 18
   */
  public CsvColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    if (scale < 0 || scale > MAX_SCALE || (scale > 0 && type != Type.DECIMAL)) {
      throw new IllegalArgumentException(
          "the scale of a column of %s is %d".formatted(type, scale));
    }
  }

  /** Returns a column of texts. */
  public static CsvColumn text(String name) {
    return new CsvColumn(name, Type.TEXT, 0);
  }

  /** Returns a column of decimals. */
  public static CsvColumn decimal(String name, int scale) {
    return new CsvColumn(name, Type.DECIMAL, scale);
  }

  /** Returns a column of doubles. */
  public static CsvColumn real(String name) {
    return new CsvColumn(name, Type.DOUBLE, 0);
  }
}
