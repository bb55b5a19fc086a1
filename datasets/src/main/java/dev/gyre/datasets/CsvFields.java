package dev.gyre.datasets;

import static dev.gyre.datasets.CsvQuotes.ONES;

import dev.gyre.atomics.AddressPin;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Finds the wanted fields of records. For one thread.
 *
 * <p>Separators and ends of lines of {@value #BLOCK} bytes are found at once, as the bits of a
 * word. So the bounds of a field are known without a loop over its bytes.
 */
final class CsvFields {

  /** Bytes that are searched at once. */
  private static final int BLOCK = Long.SIZE;

  /** Bytes that must be readable after the records. */
  static final int PADDING_BYTES = BLOCK + Long.BYTES;

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = ~HIGH_BITS;
  private static final long LINE_ENDS = ONES * '\n';

  /** Moves the lowest bit of each byte into the highest byte. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  private final CsvRows rows;
  private final byte separator;
  private final long separators;
  private final byte quote;
  private final boolean quotes;

  /** For each field the indices of its columns among the wanted ones. */
  private int[][] slots = {};

  /** For each field its only column, NONE or SEVERAL. */
  private int[] columns = {};

  private int fields;
  private int lastWanted;

  private MemorySegment text = MemorySegment.NULL;

  /** What places in this class are minus those in the text: see {@link AddressPin#first}. */
  private long base;

  private long to;

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
    slots = wanted;
    fields = wanted.length;
    columns = new int[fields];
    lastWanted = 0;
    for (int field = 0; field < fields; field++) {
      int[] of = wanted[field];
      columns[field] = of.length == 0 ? NONE : of.length == 1 ? of[0] : SEVERAL;
      lastWanted = of.length == 0 ? lastWanted : field;
    }
  }

  /** Sets the records to read: whole ones, each with an end of line, up to a place. */
  void use(MemorySegment bytes, long end) {
    text = bytes;
    base = AddressPin.first(bytes, end + PADDING_BYTES, 0);
    to = base + end;
  }

  private byte byteAt(long at) {
    return AddressPin.getByte(text, at);
  }

  /** Returns which of the next {@value #BLOCK} bytes are separators or ends of lines. */
  private long ends(long at) {
    return ends(at, 0)
        | ends(at, 1) << 8
        | ends(at, 2) << 16
        | ends(at, 3) << 24
        | ends(at, 4) << 32
        | ends(at, 5) << 40
        | ends(at, 6) << 48
        | ends(at, 7) << 56;
  }

  private long ends(long block, int index) {
    long word = AddressPin.getWord(text, block + (long) index * Long.BYTES);
    long field = word ^ separators;
    long line = word ^ LINE_ENDS;
    // Exact: the highest bit of a byte is 0 if the byte of either word is 0.
    long others =
        (((field & LOW_BITS) + LOW_BITS) | field) & (((line & LOW_BITS) + LOW_BITS) | line);
    return (((~others & HIGH_BITS) >>> 7) * GATHER) >>> 56;
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
    long at = base + start;
    // The ends in a block of bytes that are not passed yet.
    long block = at - BLOCK;
    long mask = 0;
    int row = 0;
    while (row < CsvRows.MAX_ROWS && at < to) {
      long record = at;
      int field = 0;
      boolean more = true;
      boolean isEmpty = false;
      while (more) {
        if (field == fields) {
          throw problem("more fields than the %d columns".formatted(fields), record);
        }
        long from = at;
        long end;
        boolean isQuoted = quotes && byteAt(at) == quote;
        if (isQuoted) {
          from++;
          end = afterQuoted(at);
          long passed = end + 1 - block;
          if (passed < BLOCK) {
            mask &= -1L << passed;
          } else {
            block = end + 1 - BLOCK;
            mask = 0;
          }
        } else {
          while (mask == 0) {
            block += BLOCK;
            mask = ends(block);
          }
          end = block + Long.numberOfTrailingZeros(mask);
          mask &= mask - 1;
        }
        more = byteAt(end) != '\n';
        long fieldEnd = isQuoted ? quotedEnd : more ? end : withoutReturn(at, end);
        isEmpty = !more && field == 0 && fieldEnd == at;
        if (!isEmpty) {
          int column = columns[field];
          if (column >= 0) {
            set(column, row, from, fieldEnd, isQuoted);
          } else if (column == SEVERAL) {
            for (int each : slots[field]) {
              set(each, row, from, fieldEnd, isQuoted);
            }
          }
        }
        at = end + 1;
        field++;
      }
      if (field <= lastWanted && !isEmpty) {
        throw problem("%d fields, too few".formatted(field), record);
      }
      row += isEmpty ? 0 : 1;
      rows.count = row;
    }
    return at - base;
  }

  private void set(int column, int row, long from, long end, boolean isQuoted) {
    long length = end - from;
    if (length > Integer.MAX_VALUE - PADDING_BYTES) {
      throw problem("a field of %d bytes".formatted(length), from);
    }
    rows.longs[column][row] = from - base;
    rows.lengths[column][row] = (int) length;
    if (isQuoted) {
      noteEscapes(column, row);
    } else if (length == 0) {
      rows.setNull(column, row);
    }
  }

  private void noteEscapes(int column, int row) {
    if (hasEscapes && rows.columns.get(column).type() == CsvColumn.Type.TEXT) {
      if (escaped == escapes.length) {
        escapes = Arrays.copyOf(escapes, 2 * escaped + 2);
      }
      escapes[escaped++] = row;
      escapes[escaped++] = column;
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

  private CsvProblem problem(String reason, long at) {
    return new CsvProblem(reason, at - base, -1, -1, null);
  }
}
