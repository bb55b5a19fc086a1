package dev.gyre.datasets;

import java.io.Serial;

/**
 * Thrown if a field is a number, but not of the type of its column. The caller may scan the text
 * again with the {@link #needed} type.
 *
 * @since 0.1.0
 */
public final class CsvTypeException extends BadInputException {
  @Serial private static final long serialVersionUID = 1L;

  private final int column;
  private final transient CsvColumn needed;

  CsvTypeException(String input, String reason, int column, CsvColumn needed) {
    super(input, reason);
    this.column = column;
    this.needed = needed;
  }

  /** Returns the index of the column among the delivered columns. */
  public int column() {
    return column;
  }

  /** Returns the column with a type for this field and all earlier types. */
  public CsvColumn needed() {
    return needed;
  }
}
