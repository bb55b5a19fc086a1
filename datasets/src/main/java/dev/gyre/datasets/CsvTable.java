package dev.gyre.datasets;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of a CSV file, row by row, in memory that does not depend on the length of the file.
 *
 * <p>The file is UTF-8, with or without a byte-order mark, as RFC 4180 describes it: commas, quotes
 * around fields with commas, quotes or line ends in them. Lines end with LF or CRLF; blank ones are
 * left out. The first row names the columns.
 *
 * <pre>{@code
 * try (CsvTable table = CsvTable.open(file, List.of("key", "value"), ByteProgress.NONE)) {
 *   while (table.next()) {
 *     System.out.println(table.text(0) + " " + table.number(1));
 *   }
 * }
 * }</pre>
 *
 * <p>What cannot be read is a {@link BadInputException} that names file and line.
 */
public final class CsvTable implements AutoCloseable {

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setIgnoreEmptyLines(true)
          .setAllowMissingColumnNames(true)
          .setDuplicateHeaderMode(DuplicateHeaderMode.ALLOW_EMPTY)
          .get();
  private static final int BUFFER = 1 << 16;
  private static final int BYTE_ORDER_MARK = 0xfeff;

  private final Path path;
  private final String file;
  private final long length;
  private final ByteProgress progress;
  private final Counted bytes;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;
  private final int[] places;
  private @Nullable CSVRecord row;
  private long line = 1;
  private long count;

  private CsvTable(Path file, List<String> columns, ByteProgress progress) throws IOException {
    this.path = file;
    this.file = file.toString();
    this.length = Files.size(file);
    this.progress = progress;
    this.bytes = new Counted(Files.newInputStream(file));
    try {
      this.parser = FORMAT.parse(reader(bytes));
      this.rows = parser.iterator();
      this.places = columns.stream().mapToInt(this::place).toArray();
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * Opens a file.
   *
   * @param columns names of the columns that are asked for
   * @param progress is told how many bytes are read
   * @throws BadInputException if it cannot be read or lacks a column
   */
  public static CsvTable open(Path file, List<String> columns, ByteProgress progress) {
    try {
      if (Files.isDirectory(file)) {
        throw new BadInputException(file.toString(), "is a folder, not a file");
      }
      return new CsvTable(file, columns, progress);
    } catch (NoSuchFileException e) {
      throw new BadInputException(file.toString(), "no such file", e);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw unreadable(file, 1, e);
    }
  }

  private static Reader reader(InputStream bytes) throws IOException {
    // A decoder of its own reports what is no UTF-8, instead of replacing it.
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new BufferedInputStream(bytes, BUFFER), StandardCharsets.UTF_8.newDecoder()),
            BUFFER);
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  private int place(String column) {
    Integer place = parser.getHeaderMap() == null ? null : parser.getHeaderMap().get(column);
    if (place == null) {
      throw new BadInputException(
          file,
          "line 1: no column \"%s\" among %s; the first row names the columns"
              .formatted(column, parser.getHeaderNames()));
    }
    return place;
  }

  /** Goes to the next row, and returns whether there is one. */
  public boolean next() {
    try {
      line = parser.getCurrentLineNumber() + 1;
      boolean more = rows.hasNext();
      row = more ? rows.next() : null;
      line = more ? parser.getCurrentLineNumber() : line;
    } catch (UncheckedIOException | IllegalStateException e) {
      throw unreadable(path, line, e);
    }
    count++;
    if ((count & 0xfff) == 0 || row == null) {
      progress.update(bytes.count, length);
    }
    return row != null;
  }

  private static BadInputException unreadable(Path file, long line, Exception e) {
    Exception cause =
        e instanceof UncheckedIOException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : e;
    boolean text = cause instanceof CharacterCodingException;
    // Text is decoded by the buffer, so the row at hand may be far before the bad one.
    long badLine = text ? lineOfBadText(file, line) : line;
    String reason = text ? "not UTF-8" : "not CSV: " + cause.getMessage();
    return new BadInputException(file.toString(), "line %d: %s".formatted(badLine, reason), e);
  }

  private static long lineOfBadText(Path file, long line) {
    try {
      return Utf8Lines.firstBad(file);
    } catch (IOException e) {
      return line;
    }
  }

  /** The field of the row in a column, counted from 0 among those asked for. */
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

  /** The same as a number. */
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

  /** Says that something is wrong with the row; to be thrown. */
  public BadInputException bad(String reason) {
    return new BadInputException(file, "line %d: %s".formatted(line, reason));
  }

  /** Number of rows so far. */
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

  /** Counts what is read. */
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
