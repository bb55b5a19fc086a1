package dev.gyre.datasets;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Format of CSV texts for {@link CsvScanner}.
 *
 * @param separator byte between two fields, an ASCII character
 * @param quote ASCII character around fields that contain separators, quotes or line ends, or
 *     {@link #NO_QUOTE}
 * @param names names of the columns; null if the first record of each text names them
 * @since 0.1.0
 */
public record CsvFormat(char separator, char quote, @Nullable List<String> names) {

  /** Says that quotes are bytes like any other. */
  public static final char NO_QUOTE = 0;

  /** Commas between fields, double quotes, and a first record that names the columns. */
  public static final CsvFormat RFC4180 = new CsvFormat(',', '"', null);

  /**
   * Creates a format.
   *
   * @throws IllegalArgumentException if separator and quote are equal, or one is the end of a line
   *     or no ASCII character; or if there are no names, or equal ones
   */
  public CsvFormat {
    require(separator, "separator");
    if (quote != NO_QUOTE) {
      require(quote, "quote");
    }
    if (separator == quote) {
      throw new IllegalArgumentException("separator and quote are both '" + separator + "'");
    }
    if (names != null) {
      names = List.copyOf(names);
      if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
        throw new IllegalArgumentException("columns are one or more different names, not " + names);
      }
    }
  }

  private static void require(char value, String what) {
    if (value == '\n' || value == '\r' || value == 0 || value > 0x7f) {
      throw new IllegalArgumentException(
          "the %s must be an ASCII character, and not the end of a line".formatted(what));
    }
  }

  /** Returns the same format with another separator. */
  public CsvFormat separatedBy(char other) {
    return new CsvFormat(other, quote, names);
  }

  /** Returns the same format with another quote. */
  public CsvFormat quotedBy(char other) {
    return new CsvFormat(separator, other, names);
  }

  /** Returns the same format for texts whose first record is data. */
  public CsvFormat named(List<String> others) {
    return new CsvFormat(separator, quote, Objects.requireNonNull(others, "others"));
  }
}
