package dev.gyre.datasets;

import static dev.gyre.datasets.CsvQuotes.ONES;
import static dev.gyre.datasets.CsvQuotes.WORD;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses records into blocks of rows. For one thread.
 *
 * <p>Eight bytes are searched at once for separators and ends of lines, and numbers of up to seven
 * bytes are read at once.
 */
final class CsvParser {

  /** Bytes that must be readable after the records. */
  static final int PADDING_BYTES = 16;

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = ~HIGH_BITS;
  private static final long ZEROS = ONES * '0';

  /** Added to a byte below 0x80, sets its highest bit if the byte is above 9. */
  private static final long ABOVE_NINE = ONES * (0x7f - 9);

  private static final long LINE_ENDS = ONES * '\n';
  private static final int MAX_SHOWN_BYTES = 40;

  private static final byte SKIP = 0;
  private static final byte TEXT = 1;
  private static final byte DECIMAL = 2;
  private static final byte DOUBLE = 3;
  private static final byte SEVERAL = 4;

  private final CsvRows rows;
  private final int[] scales;
  private final CsvScanner.Sink sink;
  private final byte separator;
  private final long separators;
  private final byte quote;
  private final boolean quotes;
  private final CsvNumber number = new CsvNumber();

  private int[][] slots = {};
  private byte[] kinds = {};
  private int fields;
  private int lastWanted;

  private MemorySegment text = MemorySegment.NULL;
  private long to;

  /** Whether texts may be replaced by the same without doubled quotes. */
  private boolean writable;

  private boolean needsCopy;

  // The field that was located last.
  private long fieldFrom;
  private long fieldTo;
  private boolean quoted;
  private boolean escaped;

  CsvParser(CsvFormat format, CsvRows rows, CsvScanner.Sink sink) {
    this.rows = rows;
    this.scales = rows.columns.stream().mapToInt(CsvColumn::scale).toArray();
    this.sink = sink;
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
    if (Arrays.deepEquals(slots, wanted)) {
      return;
    }
    slots = wanted;
    lastWanted = 0;
    fields = wanted.length;
    kinds = new byte[fields];
    for (int field = 0; field < fields; field++) {
      int[] of = wanted[field];
      kinds[field] = of.length == 0 ? SKIP : of.length == 1 ? kind(of[0]) : SEVERAL;
      lastWanted = of.length == 0 ? lastWanted : field;
    }
  }

  private byte kind(int slot) {
    return switch (rows.columns.get(slot).type()) {
      case TEXT -> TEXT;
      case DECIMAL -> DECIMAL;
      case DOUBLE -> DOUBLE;
    };
  }

  /**
   * Parses whole records, each with an end of line.
   *
   * @param number number of their chunk
   * @param isCopy whether the bytes are the caller's own, and may be written
   * @return {@code end}, or the beginning of a record that has doubled quotes and must be parsed in
   *     a copy
   * @throws CsvProblem for the first record that is bad
   */
  long parse(long number, MemorySegment bytes, long begin, long end, boolean isCopy) {
    text = bytes;
    to = end;
    writable = isCopy;
    needsCopy = false;
    rows.bytes = bytes;
    rows.chunk = number;
    long at = begin;
    while (at < end) {
      long next = record(at);
      if (needsCopy) {
        break;
      }
      at = next;
      if (rows.count == CsvRows.MAX_ROWS) {
        flush();
      }
    }
    flush();
    return at;
  }

  private void flush() {
    if (rows.count > 0) {
      sink.take(rows);
    }
    rows.clear();
  }

  /** Parses a record or an empty line, and returns the beginning of the next one. */
  private long record(long start) {
    byte first = text.get(ValueLayout.JAVA_BYTE, start);
    if (first <= '\r' && isLineEnd(start, first)) {
      return first == '\n' ? start + 1 : start + 2;
    }
    long at = start;
    int field = 0;
    while (true) {
      if (field == fields) {
        throw new CsvProblem(
            "more fields than the %d columns".formatted(fields), start, -1, -1, null);
      }
      at =
          switch (kinds[field]) {
            case SKIP -> skip(at);
            case TEXT -> text(at, slots[field][0]);
            case DECIMAL -> decimal(at, field, slots[field][0]);
            case DOUBLE -> real(at, field, slots[field][0]);
            default -> several(at, field);
          };
      if (text.get(ValueLayout.JAVA_BYTE, at) == '\n') {
        break;
      }
      at++;
      field++;
    }
    if (field < lastWanted) {
      throw new CsvProblem("%d fields, too few".formatted(field + 1), start, -1, -1, null);
    }
    rows.count += needsCopy ? 0 : 1;
    return at + 1;
  }

  private boolean isLineEnd(long at, byte value) {
    return value == '\n' || (value == '\r' && text.get(ValueLayout.JAVA_BYTE, at + 1) == '\n');
  }

  /** Returns the place of the next separator or end of line. */
  private long end(long from) {
    long at = from;
    while (true) {
      long word = text.get(WORD, at);
      long field = word ^ separators;
      long line = word ^ LINE_ENDS;
      // The lowest bit that is set is right; bits above it may not be.
      long found = (((field - ONES) & ~field) | ((line - ONES) & ~line)) & HIGH_BITS;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      at += Long.BYTES;
    }
  }

  private long skip(long at) {
    return quotes && text.get(ValueLayout.JAVA_BYTE, at) == quote ? locateQuoted(at) : end(at);
  }

  /** Finds the bytes of a field; returns the place of the separator or end of line after it. */
  private long locate(long at) {
    if (quotes && text.get(ValueLayout.JAVA_BYTE, at) == quote) {
      return locateQuoted(at);
    }
    long end = end(at);
    quoted = false;
    escaped = false;
    fieldFrom = at;
    fieldTo = withoutReturn(at, end);
    return end;
  }

  private long withoutReturn(long from, long end) {
    return end > from
            && text.get(ValueLayout.JAVA_BYTE, end) == '\n'
            && text.get(ValueLayout.JAVA_BYTE, end - 1) == '\r'
        ? end - 1
        : end;
  }

  private long locateQuoted(long start) {
    quoted = true;
    escaped = false;
    fieldFrom = start + 1;
    long at = quote(start, start + 1);
    while (text.get(ValueLayout.JAVA_BYTE, at + 1) == quote) {
      escaped = true;
      at = quote(start, at + 2);
    }
    fieldTo = at;
    byte after = text.get(ValueLayout.JAVA_BYTE, at + 1);
    if (after == separator || isLineEnd(at + 1, after)) {
      return after == '\r' ? at + 2 : at + 1;
    }
    // More bytes behind the closing quote are part of the field.
    escaped = true;
    long end = end(at + 1);
    fieldTo = withoutReturn(at + 1, end);
    return end;
  }

  /** Returns the place of the next quote. */
  private long quote(long opened, long from) {
    long found = CsvQuotes.find(text, from, to, quote);
    if (found < 0) {
      throw new CsvProblem(CsvScanner.UNCLOSED, opened, -1, -1, null);
    }
    return found;
  }

  private long text(long start, int slot) {
    long next = locate(start);
    if (escaped) {
      if (writable) {
        fieldTo = CsvQuotes.unescape(text, fieldFrom, fieldTo, quote);
      } else {
        needsCopy = true;
      }
    }
    int row = rows.count;
    long length = fieldTo - fieldFrom;
    if (length > Integer.MAX_VALUE - PADDING_BYTES) {
      throw new CsvProblem("a field of %d bytes".formatted(length), start, -1, -1, null);
    }
    rows.longs[slot][row] = fieldFrom;
    rows.lengths[slot][row] = (int) length;
    if (length == 0 && !quoted) {
      rows.setNull(slot);
    }
    return next;
  }

  private long decimal(long start, int field, int slot) {
    long word = text.get(WORD, start);
    long negative = (word & 0xff) == '-' ? 1 : 0;
    if (negative != 0) {
      word = text.get(WORD, start + 1);
    }
    long digits = word ^ ZEROS;
    long others = (((digits & LOW_BITS) + ABOVE_NINE) | digits) & HIGH_BITS;
    int end = Long.numberOfTrailingZeros(others) & ~7;
    int fraction = 0;
    int all = end;
    if (others != 0 && ((word >>> end) & 0xff) == '.') {
      // Closes the gap of the point.
      long whole = (1L << end) - 1;
      digits = (digits & whole) | ((digits >>> Byte.SIZE) & ~whole);
      others &= others - 1;
      all = (Long.numberOfTrailingZeros(others) & ~7) - Byte.SIZE;
      fraction = all - end;
      end = all + Byte.SIZE;
    }
    int scale = scales[slot];
    long next = start + negative + (end >>> 3);
    byte after = (byte) (word >>> end);
    if (after == '\r') {
      next++;
      after = text.get(ValueLayout.JAVA_BYTE, next) == '\n' ? (byte) '\n' : 0;
    }
    // Eight bits a digit.
    int most = (CsvColumn.MAX_SCALE - scale) << 3;
    if (others == 0
        || all == 0
        || fraction > (scale << 3)
        || all - fraction > most
        || (after != separator && after != '\n')) {
      return longDecimal(start, field, slot);
    }
    digits <<= -all;
    digits = ((digits * 2561) >>> 8) & 0x00ff_00ff_00ff_00ffL;
    digits = ((digits * 6553601) >>> 16) & 0x0000_ffff_0000_ffffL;
    digits = (digits * 42949672960001L) >>> 32;
    long value = digits * CsvNumber.POWERS[scale - (fraction >>> 3)];
    rows.longs[slot][rows.count] = (value ^ -negative) + negative;
    return next;
  }

  private long longDecimal(long start, int field, int slot) {
    long next = locate(start);
    rows.longs[slot][rows.count] = 0;
    if (isNull(slot)) {
      return next;
    }
    CsvNumber.Kind kind = number.read(text, fieldFrom, fieldTo);
    requireNumber(kind, start, field, slot);
    CsvColumn column = rows.columns.get(slot);
    long value = number.unscaled;
    int fraction = number.fraction;
    boolean isShort = Math.abs(value) < CsvNumber.LIMIT && value != Long.MIN_VALUE;
    if (kind == CsvNumber.Kind.DECIMAL && fraction <= column.scale()) {
      long power = CsvNumber.POWERS[column.scale() - fraction];
      long most = CsvNumber.LIMIT / power;
      if (column.scale() == 0 || (Math.abs(value) < most && isShort)) {
        rows.longs[slot][rows.count] = value * power;
        return next;
      }
    }
    boolean decimal = kind == CsvNumber.Kind.DECIMAL && fraction > column.scale() && isShort;
    CsvColumn needed =
        decimal ? CsvColumn.decimal(column.name(), fraction) : CsvColumn.real(column.name());
    String reason =
        decimal
            ? "%d digits after the point, more than %d: \"%s\""
                .formatted(fraction, column.scale(), shown())
            : "no decimal of at most 18 digits: \"%s\"".formatted(shown());
    throw new CsvProblem(reason, start, field, slot, needed);
  }

  private long real(long start, int field, int slot) {
    long next = locate(start);
    rows.doubles[slot][rows.count] = 0;
    if (!isNull(slot)) {
      requireNumber(number.read(text, fieldFrom, fieldTo), start, field, slot);
      rows.doubles[slot][rows.count] = number.real();
    }
    return next;
  }

  private boolean isNull(int slot) {
    boolean isNull = fieldFrom == fieldTo && !quoted;
    if (isNull) {
      rows.setNull(slot);
    }
    return isNull;
  }

  private void requireNumber(CsvNumber.Kind kind, long start, int field, int slot) {
    if (kind == CsvNumber.Kind.NO_NUMBER) {
      throw new CsvProblem("not a number: \"%s\"".formatted(shown()), start, field, slot, null);
    }
  }

  private String shown() {
    long length = fieldTo - fieldFrom;
    byte[] bytes =
        text.asSlice(fieldFrom, Math.min(length, MAX_SHOWN_BYTES)).toArray(ValueLayout.JAVA_BYTE);
    String shown = new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    return length > MAX_SHOWN_BYTES ? shown + "..." : shown;
  }

  /** Reads a field into several columns; a text is last, because it may be changed. */
  private long several(long start, int field) {
    long next = 0;
    for (int slot : slots[field]) {
      next =
          switch (rows.columns.get(slot).type()) {
            case TEXT -> next;
            case DECIMAL -> decimal(start, field, slot);
            case DOUBLE -> real(start, field, slot);
          };
    }
    for (int slot : slots[field]) {
      next = rows.columns.get(slot).type() == CsvColumn.Type.TEXT ? text(start, slot) : next;
    }
    return next;
  }
}
