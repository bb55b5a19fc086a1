package dev.gyre.datasets.csv;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextInput;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads some columns of a CSV file row by row, in constant memory.
 *
 * <pre>{@code
 * try (CsvTable table = CsvTable.open(file, List.of("key", "value"), ByteProgress.NONE)) {
 *   while (table.next()) {
 *     System.out.println(table.text(0) + " " + table.number(1));
 *   }
 * }
 * }</pre>
 *
 * <p>The file is UTF-8 as in RFC 4180, with or without a byte-order mark, or gzip of it. Fields are
 * separated by commas or another character. Fields with separators, quotes or line ends are in
 * quotes. Lines end with LF or CRLF; blank lines are skipped. The first row names the columns.
 * Other columns may have any names, also equal ones. A row with more fields than columns is an
 * error: a field may contain a separator without quotes.
 *
 * <p>Errors throw {@link BadInputException} with file and line. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class CsvTable implements AutoCloseable {

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();
  private static final int BUFFER = 1 << 16;
  private static final String SEPARATES_NOTHING = "\"\r\n";

  private final String name;
  private final long length;
  private final ByteProgress progress;
  private final Counted bytes;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;
  private final int columns;
  private final int[] places;
  private @Nullable CSVRecord row;
  private long line = 1;
  private long count;

  private CsvTable(
      String name,
      InputStream in,
      long length,
      char separator,
      List<String> columns,
      ByteProgress progress)
      throws IOException {
    this.name = name;
    this.length = length;
    this.progress = progress;
    this.bytes = new Counted(in);
    this.parser =
        FORMAT
            .builder()
            .setDelimiter(separator)
            .get()
            .parse(new Utf8Reader(new BufferedInputStream(text(bytes), BUFFER)));
    this.rows = parser.iterator();
    if (!rows.hasNext()) {
      throw new BadInputException(name, "empty; the first row must name the columns");
    }
    List<String> names = rows.next().toList();
    this.columns = names.size();
    this.places = columns.stream().mapToInt(column -> place(column, names)).toArray();
  }

  /**
   * Opens a file with commas between fields.
   *
   * @param columns names of the wanted columns, each of which must exist once
   * @param progress called with the number of bytes read
   * @throws BadInputException if the file cannot be read or lacks a column
   */
  public static CsvTable open(Path file, List<String> columns, ByteProgress progress) {
    return open(file, ',', columns, progress);
  }

  /**
   * Opens a file.
   *
   * @param separator character between fields; not a quote or an end of line
   * @param columns names of the wanted columns, each of which must exist once
   * @param progress called with the number of bytes read
   * @throws BadInputException if the file cannot be read or lacks a column
   */
  public static CsvTable open(
      Path file, char separator, List<String> columns, ByteProgress progress) {
    if (Files.isDirectory(file)) {
      throw new BadInputException(file.toString(), "is a folder, not a file");
    }
    try {
      long length = Files.isRegularFile(file) ? Files.size(file) : ByteProgress.UNKNOWN;
      return of(file.toString(), Files.newInputStream(file), length, separator, columns, progress);
    } catch (IOException e) {
      throw new BadInputException(file.toString(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  /**
   * Reads a stream, which is closed with the table.
   *
   * @param name name in error messages
   * @param separator as for files
   * @param columns as for files
   * @param progress called with the number of bytes read
   * @throws BadInputException if the stream cannot be read or lacks a column
   */
  public static CsvTable ofStream(
      String name, InputStream in, char separator, List<String> columns, ByteProgress progress) {
    return of(name, in, ByteProgress.UNKNOWN, separator, columns, progress);
  }

  /** Returns whether a character can separate fields: it must not have another meaning. */
  public static boolean isSeparator(char separator) {
    return SEPARATES_NOTHING.indexOf(separator) < 0;
  }

  private static CsvTable of(
      String name,
      InputStream in,
      long length,
      char separator,
      List<String> columns,
      ByteProgress progress) {
    if (!isSeparator(separator)) {
      throw new IllegalArgumentException("a quote or the end of a line separates no fields");
    }
    try {
      return new CsvTable(name, in, length, separator, columns, progress);
    } catch (IOException | RuntimeException e) {
      try {
        in.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e instanceof BadInputException bad ? bad : unreadable(name, 1, e);
    }
  }

  private static InputStream text(InputStream in) throws IOException {
    return Channels.newInputStream(TextInput.of(Channels.newChannel(in)));
  }

  private int place(String column, List<String> names) {
    int place = names.indexOf(column);
    if (place < 0) {
      throw new BadInputException(
          name,
          "line 1: no column \"%s\" among %s; the first row names the columns, exactly so"
              .formatted(column, names));
    }
    if (place != names.lastIndexOf(column)) {
      throw new BadInputException(
          name,
          "line 1: more than one column \"%s\" among %s; the name is ambiguous"
              .formatted(column, names));
    }
    return place;
  }

  /** Moves to the next row; returns whether there is one. */
  public boolean next() {
    try {
      line = parser.getCurrentLineNumber() + 1;
      boolean more = rows.hasNext();
      row = more ? rows.next() : null;
      line = more ? parser.getCurrentLineNumber() : line;
    } catch (UncheckedIOException | IllegalStateException e) {
      throw unreadable(name, line, e);
    }
    if (row != null && row.size() > columns) {
      throw bad("%d fields, where the first row names %d".formatted(row.size(), columns));
    }
    count++;
    if ((count & 0xfff) == 0 || row == null) {
      progress.update(bytes.count, length);
    }
    return row != null;
  }

  /** Returns the exception for a row that cannot be read. */
  public static BadInputException unreadable(String name, long line, Exception e) {
    Exception cause =
        e instanceof UncheckedIOException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : e;
    String reason =
        switch (cause) {
          // Text is decoded in buffers: the current row may be far before the bad one.
          case Utf8Reader.BadTextException bad -> "line %d: not UTF-8".formatted(bad.line());
          case CharacterCodingException _ -> "line %d or later: not UTF-8".formatted(line);
          case IOException io when !(io instanceof CSVException) -> TextFiles.reasonOf(io, "file");
          default ->
              "line %d: not CSV: a field that begins with a quote does not end with one"
                  .formatted(line);
        };
    return new BadInputException(name, reason, e);
  }

  /** Returns the field of the row in a column, counted from 0 among the wanted ones. */
  public String text(int column) {
    CSVRecord current = row;
    if (current == null) {
      throw new IllegalStateException("no row: call next() first");
    }
    if (places[column] >= current.size()) {
      throw bad("%d fields, too few".formatted(current.size()));
    }
    return current.get(places[column]);
  }

  /** Returns the field as a number. */
  public long number(int column) {
    String text = text(column);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw bad("not an integer from -2^63 to 2^63 - 1: \"%s\"".formatted(shortened(text)));
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  /** Returns the exception for an error in the row. */
  public BadInputException bad(String reason) {
    return new BadInputException(name, "line %d: %s".formatted(line, reason));
  }

  /** Returns the number of rows so far. */
  public long rows() {
    return row == null ? Math.max(0, count - 1) : count;
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts the bytes read. */
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count += value >= 0 ? 1 : 0;
      return value;
    }

    @Override
    public int read(byte[] to, int at, int most) throws IOException {
      int got = super.read(to, at, most);
      count += Math.max(0, got);
      return got;
    }
  }
}
