package dev.gyre.datasets;

import static dev.gyre.datasets.CsvQuotes.ONES;

import dev.gyre.atomics.AddressPin;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds the wanted fields of records. For one thread.
 *
 * <p>Separators and ends of lines of {@value #WINDOW} bytes are found at once, as bits of words. So
 * the bounds of a field are known without a loop over its bytes.
 */
final class CsvFields {

  /** Bytes whose ends are the bits of a word. */
  private static final int BLOCK = Long.SIZE;

  /** Bytes that are searched at once. */
  private static final int WINDOW = 1 << 12;

  /** Ends and bytes from which on no more are searched at once. */
  private static final int MAX_ENDS = 1 << 14;

  private static final int MAX_BYTES = 1 << 30;

  private static final VarHandle MASKS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes that must be readable after the records. */
  static final int PADDING_BYTES = BLOCK + Long.BYTES;

  private static final long LINE_ENDS = ONES * '\n';

  /** Moves the lowest bit of each byte into the highest byte. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private final CsvRows rows;
  private final byte separator;
  private final long separators;
  private final byte quote;
  private final boolean quotes;

  /** For each field the indices of its columns among the wanted ones. */
  private int[][] columns = {};

  /**
   * For each field the arrays of its first column; for other fields, arrays that are never read.
   */
  private long[][] startsOf = {};

  private int[][] lengthsOf = {};
  private int fields;
  private int lastWanted;

  private MemorySegment text = MemorySegment.NULL;

  /** What places in this class are minus those in the text: see {@link AddressPin#first}. */
  private long base;

  private long to;

  /** Where the bytes begin that were searched. */
  private long window;

  /** A bit for each byte of the window, which is set for separators and ends of lines. */
  private final byte[] ends = new byte[WINDOW / Byte.SIZE];

  /** Where separators and ends of lines are, behind the first record's begin. */
  private final int[] placesOf = new int[MAX_ENDS + WINDOW + BLOCK];

  /** Rows and columns of fields that are to be unescaped, in turns. */
  private int[] escapes = {};

  private int escaped;

  /** End of the quoted field that was found last. */
  private long quotedEnd;

  /** Whether that field has more than its bytes between two quotes. */
  private boolean hasEscapes;

  CsvFields(CsvFormat format, CsvRows rows) {
    this.rows = rows;
    this.separator = (byte) format.separator();
    this.separators = ONES * separator;
    this.quote = (byte) format.quote();
    this.quotes = quote != CsvFormat.NO_QUOTE;
  }

  /**
   * Sets which fields of a record are wanted.
   *
   * @param wanted for each field the indices of its columns among the delivered ones
   */
  void use(int[][] wanted) {
    columns = wanted;
    fields = wanted.length;
    startsOf = new long[fields][];
    lengthsOf = new int[fields][];
    long[] noStarts = new long[CsvRows.MAX_ROWS];
    int[] noLengths = new int[CsvRows.MAX_ROWS];
    lastWanted = 0;
    for (int field = 0; field < fields; field++) {
      int[] of = wanted[field];
      startsOf[field] = of.length == 0 ? noStarts : rows.longs[of[0]];
      lengthsOf[field] = of.length == 0 ? noLengths : rows.lengths[of[0]];
      lastWanted = of.length == 0 ? lastWanted : field;
    }
  }

  /** Sets the records to read: whole ones, each with an end of line, up to a place. */
  void use(MemorySegment bytes, long end) {
    text = bytes;
    base = AddressPin.first(bytes, end + PADDING_BYTES, 0);
    to = base + end;
    window = base - WINDOW;
  }

  private byte byteAt(long at) {
    return AddressPin.getByte(text, at);
  }

  /**
   * Returns which bytes of a block are separators or ends of lines, from a place on. Blocks begin
   * at a multiple of their size behind the window.
   */
  private long ends(long at) {
    // Also before the window: regular records were looked for behind the next one.
    if (Long.compareUnsigned(at - window, WINDOW) >= 0) {
      findEnds(at);
    }
    int index = (int) (at - window) >>> 6 << 3;
    return (long) MASKS.get(ends, index) & (-1L << (at - window));
  }

  /** Begins a new window. HotSpot searches several words at once. */
  private void findEnds(long at) {
    window = at;
    long first = at - base;
    long left = (to - at + BLOCK - 1) & -BLOCK;
    int words = (int) Math.min(WINDOW, left) >>> 3;
    MemorySegment bytes = text;
    byte[] found = ends;
    long pattern = separators;
    for (int i = 0; i < words; i++) {
      long word = bytes.get(CsvQuotes.WORD, first + (long) i * Long.BYTES);
      long all = CsvQuotes.zeros(word ^ pattern) | CsvQuotes.zeros(word ^ LINE_ENDS);
      found[i] = (byte) (((all >>> 7) * GATHER) >>> 56);
    }
  }

  /**
   * Finds the fields of the next records until one has a quote, or too few or too many fields.
   *
   * <p>There are no calls in its loops, and few branches, so that a core works on several records
   * at the same time.
   *
   * @return number of records
   */
  private int locateRegular(long first) {
    int[] places = placesOf;
    int most = (int) Math.min((long) CsvRows.MAX_ROWS * fields, MAX_ENDS);
    places[0] = -1;
    int found = 0;
    for (long at = first; at < to && found < most && at - first < MAX_BYTES; at += WINDOW) {
      findEnds(at);
      int bytes = (int) Math.min(WINDOW, to - at);
      int before = (int) (at - first);
      for (int i = 0; i < bytes && found < most; i += BLOCK) {
        long mask = (long) MASKS.get(ends, i >>> 3) & (-1L >>> -Math.min(bytes - i, BLOCK));
        CsvQuotes.putPlaces(mask, before + i, places, found + 1);
        found += Long.bitCount(mask);
      }
    }
    int records = Math.min(found, most) / fields;
    int marks = 0;
    for (int field = 0; field < fields; field++) {
      marks |=
          columns[field].length > 0
              ? store(first, field, records)
              : wrongEnds(first, field, records);
    }
    boolean areRegular = (marks & Integer.MAX_VALUE) == 0;
    int count = areRegular ? records : regular(first, records);
    count = quotes ? beforeQuote(first, count) : count;
    for (int field = 0; field < fields && marks < 0; field++) {
      setNulls(field, count);
    }
    rows.count = count;
    return count;
  }

  /** Returns how many records have all fields, until one has not. */
  private int regular(long first, int records) {
    MemorySegment bytes = text;
    int[] places = placesOf;
    int all = fields;
    int count = 0;
    while (count < records && isRegular(bytes, first, places, count * all, all)) {
      count++;
    }
    return count;
  }

  /** Returns whether only the last of the ends of a record ends a line. */
  private static boolean isRegular(
      MemorySegment bytes, long first, int[] places, int before, int all) {
    int i = before + 1;
    while (i < before + all && AddressPin.getByte(bytes, first + places[i]) != '\n') {
      i++;
    }
    return i == before + all && AddressPin.getByte(bytes, first + places[i]) == '\n';
  }

  /** Returns how many records have no field with a quote at its beginning, until one has. */
  private int beforeQuote(long first, int records) {
    MemorySegment bytes = text;
    int[] places = placesOf;
    int all = records * fields;
    int i = 0;
    while (i < all && AddressPin.getByte(bytes, first + places[i] + 1) != quote) {
      i++;
    }
    return i / fields;
  }

  /**
   * Stores where a field of records begins, and its length.
   *
   * @return the sign bit if a field is empty, and other bits if a field has a wrong end
   */
  private int store(long first, int field, int records) {
    MemorySegment bytes = text;
    int[] places = placesOf;
    long[] starts = startsOf[field];
    int[] lengths = lengthsOf[field];
    int all = fields;
    int expected = end(field);
    // The byte before the end of a line may belong to it; a separator is no CR.
    int back = field == all - 1 ? 1 : 0;
    long textFirst = first - base;
    int others = 0;
    int none = 0;
    for (int row = 0, i = field; row < records; row++, i += all) {
      int begin = places[i] + 1;
      int end = places[i + 1];
      others |= AddressPin.getByte(bytes, first + end) ^ expected;
      int last = AddressPin.getByte(bytes, first + end - back) ^ '\r';
      int length = end - begin - (last == 0 ? 1 : 0);
      starts[row] = textFirst + begin;
      lengths[row] = length;
      none |= length - 1;
    }
    return (none & Integer.MIN_VALUE) | others;
  }

  /** Returns 0 if the field of each record ends with a separator or, if it is the last, a line. */
  private int wrongEnds(long first, int field, int records) {
    MemorySegment bytes = text;
    int[] places = placesOf;
    int all = fields;
    int expected = end(field);
    int others = 0;
    for (int row = 0, i = field + 1; row < records; row++, i += all) {
      others |= AddressPin.getByte(bytes, first + places[i]) ^ expected;
    }
    return others;
  }

  private int end(int field) {
    return field == fields - 1 ? '\n' : separator;
  }

  private void setNulls(int field, int records) {
    int[] lengths = lengthsOf[field];
    for (int row = 0; row < records; row++) {
      if (lengths[row] == 0) {
        setNull(field, row);
      }
    }
  }

  /**
   * Finds the fields of records, until the rows are full: where each begins, and its length.
   *
   * @param start where the first record begins
   * @return where the next record begins
   * @throws CsvProblem for a record with too many or too few fields, or with a quote that is not
   *     closed; the rows before it are there
   */
  long locate(long start) {
    // As locals, because HotSpot would read fields of this object again for each field of a record.
    MemorySegment bytes = text;
    long[][] starts = startsOf;
    int[][] lengths = lengthsOf;
    int most = fields;
    long textBase = base;
    if (most > 1) {
      int records = locateRegular(textBase + start);
      if (records > 0) {
        return start + placesOf[records * most] + 1;
      }
    }
    boolean mayQuote = quotes;
    byte opening = quote;
    long last = to;
    long at = textBase + start;
    // The ends in a block of bytes that are not passed yet.
    long mask = ends(at);
    long block = at - ((at - window) & (BLOCK - 1));
    int row = 0;
    while (row < CsvRows.MAX_ROWS && at < last) {
      long record = at;
      int field = 0;
      boolean more = true;
      boolean isEmpty = false;
      while (more) {
        if (field == most) {
          throw problem(row, "more fields than the %d columns".formatted(most), record);
        }
        long from = at;
        long end;
        boolean isQuoted = mayQuote && AddressPin.getByte(bytes, at) == opening;
        if (isQuoted) {
          from++;
          rows.count = row;
          end = afterQuoted(at);
          noteEscapes(field, row);
          long next = end + 1;
          mask = ends(next);
          block = next - ((next - window) & (BLOCK - 1));
        } else {
          while (mask == 0) {
            block += BLOCK;
            mask = ends(block);
          }
          end = block + Long.numberOfTrailingZeros(mask);
          mask &= mask - 1;
        }
        more = AddressPin.getByte(bytes, end) != '\n';
        long fieldEnd = isQuoted ? quotedEnd : end;
        if (!more && !isQuoted) {
          fieldEnd = withoutReturn(at, end);
          isEmpty = field == 0 && fieldEnd == at;
        }
        long length = fieldEnd - from;
        if (length > Integer.MAX_VALUE - PADDING_BYTES) {
          throw problem(row, "a field of %d bytes".formatted(length), from);
        }
        starts[field][row] = from - textBase;
        lengths[field][row] = (int) length;
        if (length == 0 && !isQuoted && !isEmpty) {
          setNull(field, row);
        }
        at = end + 1;
        field++;
      }
      if (field <= lastWanted && !isEmpty) {
        throw problem(row, "%d fields, too few".formatted(field), record);
      }
      row += isEmpty ? 0 : 1;
    }
    rows.count = row;
    return at - textBase;
  }

  private void setNull(int field, int row) {
    for (int column : columns[field]) {
      rows.setNull(column, row);
    }
  }

  private void noteEscapes(int field, int row) {
    for (int column : columns[field]) {
      if (hasEscapes && rows.columns.get(column).type() == CsvColumn.Type.TEXT) {
        if (escaped == escapes.length) {
          escapes = Arrays.copyOf(escapes, 2 * escaped + 2);
        }
        escapes[escaped++] = row;
        escapes[escaped++] = column;
      }
    }
  }

  /** Copies the fields that were found for several columns. */
  void copyShared() {
    for (int[] of : columns) {
      for (int i = 1; i < of.length; i++) {
        System.arraycopy(rows.longs[of[0]], 0, rows.longs[of[i]], 0, rows.count);
        System.arraycopy(rows.lengths[of[0]], 0, rows.lengths[of[i]], 0, rows.count);
      }
    }
  }

  /** Moves the bytes of texts with escapes, after which numbers of the same fields are lost. */
  void unescape() {
    for (int i = 0; i < escaped; i += 2) {
      int row = escapes[i];
      int column = escapes[i + 1];
      long from = rows.longs[column][row];
      int length = rows.lengths[column][row];
      rows.lengths[column][row] =
          (int) (CsvQuotes.unescape(text, from, from + length, quote) - from);
    }
    escaped = 0;
  }

  private long withoutReturn(long from, long end) {
    return end > from && byteAt(end - 1) == '\r' ? end - 1 : end;
  }

  /** Returns the place of the separator or end of line after a quoted field. */
  private long afterQuoted(long start) {
    hasEscapes = false;
    long at = quote(start, start + 1);
    while (byteAt(at + 1) == quote) {
      hasEscapes = true;
      at = quote(start, at + 2);
    }
    quotedEnd = at;
    long end = at + 1;
    if (byteAt(end) == '\r' && byteAt(end + 1) == '\n') {
      end++;
    }
    if (byteAt(end) == separator || byteAt(end) == '\n') {
      return end;
    }
    // More bytes behind the closing quote are part of the field.
    hasEscapes = true;
    while (byteAt(end) != separator && byteAt(end) != '\n') {
      end++;
    }
    quotedEnd = byteAt(end) == '\n' ? withoutReturn(at + 1, end) : end;
    return end;
  }

  /** Returns the place of the next quote. */
  private long quote(long opened, long from) {
    long found = CsvQuotes.find(text, from - base, to - base, quote);
    if (found < 0) {
      throw problem(CsvScanner.UNCLOSED, opened);
    }
    return base + found;
  }

  private CsvProblem problem(int row, String reason, long at) {
    rows.count = row;
    return problem(reason, at);
  }

  private CsvProblem problem(String reason, long at) {
    return new CsvProblem(reason, at - base, -1, -1, null);
  }
}
