package dev.gyre.datasets;

import static dev.gyre.datasets.CsvQuotes.ONES;

import dev.gyre.atomics.AddressPin;
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

  /** What places in this class are minus those in the text: see {@link AddressPin#first}. */
  private long base;

  private long to;

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
   * @param bytes memory of the caller, which may be written
   * @throws CsvProblem for the first record that is bad
   */
  void parse(long number, MemorySegment bytes, long begin, long end) {
    text = bytes;
    base = AddressPin.first(bytes, end + PADDING_BYTES, 0);
    to = base + end;
    rows.bytes = bytes;
    rows.chunk = number;
    long at = base + begin;
    while (at < to) {
      at = record(at);
      if (rows.count == CsvRows.MAX_ROWS) {
        flush();
      }
    }
    flush();
  }

  private byte byteAt(long at) {
    return AddressPin.getByte(text, at);
  }

  private long word(long at) {
    return AddressPin.getWord(text, at);
  }

  /** Returns a problem of a field or, if that is -1, of a record. */
  private CsvProblem problem(String reason, long at, int field) {
    return new CsvProblem(reason, at - base, field, -1, null);
  }

  private void flush() {
    if (rows.count > 0) {
      sink.take(rows);
    }
    rows.clear();
  }

  /** Parses a record or an empty line, and returns the beginning of the next one. */
  private long record(long start) {
    byte first = byteAt(start);
    if (first <= '\r' && isLineEnd(start, first)) {
      return first == '\n' ? start + 1 : start + 2;
    }
    long at = start;
    int field = 0;
    while (true) {
      if (field == fields) {
        throw problem("more fields than the %d columns".formatted(fields), start, -1);
      }
      at =
          switch (kinds[field]) {
            case SKIP -> skip(at);
            case TEXT -> text(at, slots[field][0]);
            case DECIMAL -> decimal(at, field, slots[field][0]);
            case DOUBLE -> real(at, field, slots[field][0]);
            default -> several(at, field);
          };
      if (byteAt(at) == '\n') {
        break;
      }
      at++;
      field++;
    }
    if (field < lastWanted) {
      throw problem("%d fields, too few".formatted(field + 1), start, -1);
    }
    rows.count++;
    return at + 1;
  }

  private boolean isLineEnd(long at, byte value) {
    return value == '\n' || (value == '\r' && byteAt(at + 1) == '\n');
  }

  /** Returns the place of the next separator or end of line. */
  private long end(long from) {
    long at = from;
    while (true) {
      long word = word(at);
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
    return isQuote(at) ? locateQuoted(at) : end(at);
  }

  private boolean isQuote(long at) {
    return quotes && byteAt(at) == quote;
  }

  /** Finds the bytes of a field; returns the place of the separator or end of line after it. */
  private long locate(long at) {
    if (isQuote(at)) {
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
    boolean returns = end > from && byteAt(end) == '\n' && byteAt(end - 1) == '\r';
    return returns ? end - 1 : end;
  }

  private long locateQuoted(long start) {
    quoted = true;
    escaped = false;
    fieldFrom = start + 1;
    long at = quote(start, start + 1);
    while (byteAt(at + 1) == quote) {
      escaped = true;
      at = quote(start, at + 2);
    }
    fieldTo = at;
    byte after = byteAt(at + 1);
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
    long found = CsvQuotes.find(text, from - base, to - base, quote);
    if (found < 0) {
      throw problem(CsvScanner.UNCLOSED, opened, -1);
    }
    return base + found;
  }

  private long text(long start, int slot) {
    if (isQuote(start)) {
      long next = locateQuoted(start);
      if (escaped) {
        fieldTo = base + CsvQuotes.unescape(text, fieldFrom - base, fieldTo - base, quote);
      }
      setText(slot, fieldFrom, fieldTo);
      return next;
    }
    long next = end(start);
    long end = withoutReturn(start, next);
    setText(slot, start, end);
    if (start == end) {
      rows.setNull(slot);
    }
    return next;
  }

  private void setText(int slot, long from, long end) {
    long length = end - from;
    if (length > Integer.MAX_VALUE - PADDING_BYTES) {
      throw problem("a field of %d bytes".formatted(length), from, -1);
    }
    int row = rows.count;
    rows.longs[slot][row] = from - base;
    rows.lengths[slot][row] = (int) length;
  }

  private long decimal(long start, int field, int slot) {
    // Without a branch: signs are as random as the numbers.
    long negative = (((byteAt(start) & 0xff) ^ '-') - 1L) >>> (Long.SIZE - 1);
    long word = word(start + negative);
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
      after = byteAt(next) == '\n' ? (byte) '\n' : 0;
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
    CsvNumber.Kind kind = number.read(text, fieldFrom - base, fieldTo - base);
    requireNumber(kind, start, field);
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
    throw new CsvProblem(reason, start - base, field, slot, needed);
  }

  private long real(long start, int field, int slot) {
    long next = locate(start);
    rows.doubles[slot][rows.count] = 0;
    if (!isNull(slot)) {
      requireNumber(number.read(text, fieldFrom - base, fieldTo - base), start, field);
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

  private void requireNumber(CsvNumber.Kind kind, long start, int field) {
    if (kind == CsvNumber.Kind.NO_NUMBER) {
      throw problem("not a number: \"%s\"".formatted(shown()), start, field);
    }
  }

  private String shown() {
    long length = fieldTo - fieldFrom;
    byte[] bytes =
        text.asSlice(fieldFrom - base, Math.min(length, MAX_SHOWN_BYTES))
            .toArray(ValueLayout.JAVA_BYTE);
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
