package dev.gyre.datasets;

import static dev.gyre.datasets.CsvQuotes.ONES;

import dev.gyre.atomics.AddressPin;
import dev.gyre.datasets.CsvNumber.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parses records into blocks of rows. For one thread.
 *
 * <p>{@link CsvFields} finds the fields of a block of records. Then the numbers of each column are
 * read, up to eight digits at once, so that a core works on several rows at the same time.
 */
final class CsvParser {

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = ~HIGH_BITS;
  private static final long ZEROS = ONES * '0';

  /** Added to a byte below 0x80, sets its highest bit if the byte is above 9. */
  private static final long ABOVE_NINE = ONES * (0x7f - 9);

  private static final int MAX_SHOWN_BYTES = 40;

  private final CsvRows rows;
  private final CsvFields fields;
  private final CsvScanner.Sink sink;
  private final CsvNumber number = new CsvNumber();

  /** The fields of the wanted columns, and the columns with numbers in the order of fields. */
  private int[] fieldOf = {};

  private int[] numbers = {};
  private int[][] used = {};

  private MemorySegment text = MemorySegment.NULL;

  /** What addresses are minus places in the text: see {@link AddressPin#first}. */
  private long base;

  CsvParser(CsvFormat format, CsvRows rows, CsvScanner.Sink sink) {
    this.rows = rows;
    this.fields = new CsvFields(format, rows);
    this.sink = sink;
  }

  /**
   * Sets which fields of a record are wanted.
   *
   * @param wanted for each field the indices of its columns among the delivered ones
   */
  void use(int[][] wanted) {
    if (Arrays.deepEquals(used, wanted)) {
      return;
    }
    used = wanted;
    fields.use(wanted);
    fieldOf = new int[rows.columns.size()];
    for (int field = 0; field < wanted.length; field++) {
      for (int column : wanted[field]) {
        fieldOf[column] = field;
      }
    }
    numbers =
        Arrays.stream(wanted)
            .flatMapToInt(IntStream::of)
            .filter(column -> rows.columns.get(column).type() != CsvColumn.Type.TEXT)
            .toArray();
  }

  /**
   * Parses whole records, each with an end of line.
   *
   * @param bytes memory of the caller, which may be written
   * @throws CsvProblem for the first record that is bad
   */
  void parse(MemorySegment bytes, long begin, long end) {
    text = bytes;
    fields.use(bytes, end);
    base = AddressPin.first(bytes, end, 0);
    rows.bytes = bytes;
    long at = begin;
    while (at < end) {
      rows.clear();
      CsvProblem problem = null;
      try {
        at = fields.locate(at);
      } catch (CsvProblem e) {
        problem = e;
      }
      fields.copyShared();
      // A bad number is in a row before.
      problem = readNumbers(problem);
      if (problem != null) {
        throw problem;
      }
      fields.unescape();
      if (rows.count > 0) {
        sink.take(rows);
      }
    }
    rows.clear();
  }

  /** Reads the numbers of all rows; returns the problem of the first row that has one. */
  private @Nullable CsvProblem readNumbers(@Nullable CsvProblem after) {
    CsvProblem first = after;
    for (int column : numbers) {
      try {
        switch (rows.columns.get(column).type()) {
          case DECIMAL -> decimals(column);
          case DOUBLE -> reals(column);
          case TEXT -> {}
        }
      } catch (CsvProblem problem) {
        // Of the rows from this one on, only those of columns before matter.
        first = problem;
      }
    }
    return first;
  }

  private void decimals(int column) {
    long[] values = rows.longs[column];
    int[] lengths = rows.lengths[column];
    int scale = rows.columns.get(column).scale();
    // Where the point is if a number has as many digits after it as its column; in the highest byte
    // is the last digit.
    int place = Long.SIZE - (scale + 1) * Byte.SIZE;
    long point = scale == 0 || place < 0 ? 0 : 0xffL << place;
    long before = scale == 0 ? 0 : (1L << place) - 1;
    // Numbers with more digits after the point than a word has are all read one by one.
    long above = place < 0 ? HIGH_BITS : (ABOVE_NINE & ~point) | (LOW_BITS & point);
    long zeros = ('.' ^ '0') * ONES & point;
    // Fields would be read again for each row.
    MemorySegment bytes = text;
    long first = base;
    int count = rows.count;
    for (int row = 0; row < count; row++) {
      long at = first + values[row];
      // Without a branch: signs are as random as the numbers.
      long negative = (((AddressPin.getByte(bytes, at) & 0xff) ^ '-') - 1L) >>> (Long.SIZE - 1);
      long length = lengths[row] - negative;
      // The last byte of the number is the highest one; below the first one are zeros.
      long word = (AddressPin.getWord(bytes, at + negative) ^ ZEROS) << (-length * Byte.SIZE);
      long digits = word ^ zeros;
      if (others(digits, above) != 0 && length > 0) {
        digits = padded(word, place, length) ^ zeros;
      }
      if (others(digits, above) != 0 || ((length - 1) >>> 3) != 0) {
        values[row] = longDecimal(values[row], row, column);
        continue;
      }
      // Closes the gap of the point.
      long whole = digits & before;
      digits += (whole << Byte.SIZE) - whole;
      digits = ((digits * 2561) >>> 8) & 0x00ff_00ff_00ff_00ffL;
      digits = ((digits * 6553601) >>> 16) & 0x0000_ffff_0000_ffffL;
      digits = (digits * 42949672960001L) >>> 32;
      values[row] = (digits ^ -negative) + negative;
    }
  }

  /** Returns a mark for each byte that is no digit, or at the place of the point no point. */
  private static long others(long digits, long above) {
    return (((digits & LOW_BITS) + above) | digits) & HIGH_BITS;
  }

  /**
   * Appends zeros to a number with fewer digits after the point than its column, and a point to a
   * whole number. Returns the number unchanged if it would be longer than a word.
   */
  private static long padded(long word, int place, long length) {
    long others = others(word, ABOVE_NINE);
    boolean isWhole = others == 0;
    int point = isWhole ? Long.SIZE : Long.numberOfTrailingZeros(others) & -Byte.SIZE;
    int shift = point - place;
    boolean fits = shift > 0 && shift < Long.SIZE && word << (Long.SIZE - shift) == 0;
    // A point alone is no number.
    if (!fits || place < 0 || !(isWhole || length > 1)) {
      return word;
    }
    return word >>> shift | (isWhole ? (long) ('.' ^ '0') << place : 0);
  }

  /** Returns a decimal of any length, or 0 for null. */
  private long longDecimal(long from, int row, int slot) {
    long to = from + rows.lengths[slot][row];
    if (rows.isNull(slot, row)) {
      return 0;
    }
    Kind kind = number.read(text, from, to);
    requireNumber(kind, row, slot, from, to);
    CsvColumn column = rows.columns.get(slot);
    long value = number.unscaled;
    int fraction = number.fraction;
    boolean isShort = Math.abs(value) < CsvNumber.LIMIT && value != Long.MIN_VALUE;
    if (kind == Kind.DECIMAL && fraction <= column.scale()) {
      long power = CsvNumber.POWERS[column.scale() - fraction];
      long most = CsvNumber.LIMIT / power;
      if (column.scale() == 0 || (Math.abs(value) < most && isShort)) {
        return value * power;
      }
    }
    boolean decimal = kind == Kind.DECIMAL && fraction > column.scale() && isShort;
    CsvColumn needed =
        decimal ? CsvColumn.decimal(column.name(), fraction) : CsvColumn.real(column.name());
    String reason =
        column.scale() == 0
            ? "not an integer from -2^63 to 2^63 - 1"
            : decimal
                ? "%d digits after the point, more than %d".formatted(fraction, column.scale())
                : "no decimal of at most 18 digits";
    throw problem("%s: \"%s\"".formatted(reason, shown(from, to)), row, slot, from, needed);
  }

  private void reals(int column) {
    double[] values = rows.doubles[column];
    for (int row = 0; row < rows.count; row++) {
      long from = rows.longs[column][row];
      long to = from + rows.lengths[column][row];
      values[row] = 0;
      if (!rows.isNull(column, row)) {
        requireNumber(number.read(text, from, to), row, column, from, to);
        values[row] = number.real();
      }
    }
  }

  private void requireNumber(Kind kind, int row, int column, long from, long to) {
    if (kind == Kind.NO_NUMBER) {
      throw problem("not a number: \"%s\"".formatted(shown(from, to)), row, column, from, null);
    }
  }

  /** Returns the problem of a number; only the rows before it are then looked at. */
  private CsvProblem problem(
      String reason, int row, int column, long from, @Nullable CsvColumn needed) {
    rows.count = row;
    int slot = needed == null ? -1 : column;
    return new CsvProblem(reason, from, fieldOf[column], slot, needed);
  }

  private String shown(long from, long to) {
    long length = to - from;
    byte[] bytes =
        text.asSlice(from, Math.min(length, MAX_SHOWN_BYTES)).toArray(ValueLayout.JAVA_BYTE);
    String shown = new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    return length > MAX_SHOWN_BYTES ? shown + "..." : shown;
  }
}
