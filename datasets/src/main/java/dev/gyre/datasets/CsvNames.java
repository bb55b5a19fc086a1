package dev.gyre.datasets;

import dev.gyre.atomics.Internal;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** First record of a CSV text, which names the columns. */
@Internal
public final class CsvNames {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /** Largest number of characters of a text in a message. */
  private static final int MAX_SHOWN = 1_000;

  private CsvNames() {}

  /**
   * Returns a text, or a list of names, for a message of one line: without control characters, and
   * cut if it is long. A file that is not CSV may have any names.
   */
  public static String shown(Object text) {
    String all = text.toString();
    String shown =
        all.substring(0, Math.min(all.length(), MAX_SHOWN)).replaceAll("\\p{Cntrl}", " ");
    return all.length() > MAX_SHOWN ? shown + "..." : shown;
  }

  /** Returns the number of bytes of a byte-order mark at the beginning. */
  static int markBytes(MemorySegment text) {
    MemorySegment mark = MemorySegment.ofArray(BYTE_ORDER_MARK);
    return text.byteSize() >= mark.byteSize() && text.asSlice(0, mark.byteSize()).mismatch(mark) < 0
        ? BYTE_ORDER_MARK.length
        : 0;
  }

  /** Returns the end of empty lines. */
  static long skipEmptyLines(MemorySegment text, long from, long to) {
    long at = from;
    while (is('\n', text, at, to) || (is('\r', text, at, to) && is('\n', text, at + 1, to))) {
      at++;
    }
    return at;
  }

  private static boolean is(char value, MemorySegment text, long at, long to) {
    return at < to && text.get(ValueLayout.JAVA_BYTE, at) == value;
  }

  /** Returns where the first row begins, after a byte-order mark and the names of columns. */
  public static long firstRow(MemorySegment text, CsvFormat format) {
    long mark = markBytes(text);
    long size = text.byteSize();
    long from = skipEmptyLines(text, mark, size);
    CsvQuotes quotes = new CsvQuotes(text, mark, format);
    long end = format.names() == null ? quotes.nextEnd(from, size, CsvQuotes.OUTSIDE) : mark;
    return end < 0 ? size : end;
  }

  /** Returns the end of the last line of a text without quotes that ends at a place or before. */
  public static long endOfLines(MemorySegment text, long to) {
    long at = to;
    while (at > 0 && text.get(ValueLayout.JAVA_BYTE, at - 1) != '\n') {
      at--;
    }
    return at;
  }

  /** Returns the fields of a record, which may have an end of line. */
  static List<String> of(MemorySegment record, CsvFormat format) {
    List<String> names = new ArrayList<>();
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    CsvQuotes quotes = new CsvQuotes(record, 0, format);
    int state = CsvQuotes.OUTSIDE;
    for (long at = 0; at < record.byteSize(); at++) {
      byte value = record.get(ValueLayout.JAVA_BYTE, at);
      int next = quotes.step(state, at, value);
      // A quote that opens or closes is no part of the field; the second of two is.
      boolean marks =
          next == CsvQuotes.BEHIND_QUOTE
              || (state == CsvQuotes.OUTSIDE && next == CsvQuotes.INSIDE);
      if (next == CsvQuotes.OUTSIDE && value == format.separator()) {
        names.add(name.toString(StandardCharsets.UTF_8));
        name.reset();
      } else if (next == CsvQuotes.OUTSIDE && value == '\n') {
        break;
      } else if (!marks) {
        name.write(value);
      }
      state = next;
    }
    String last = name.toString(StandardCharsets.UTF_8);
    names.add(last.endsWith("\r") ? last.substring(0, last.length() - 1) : last);
    return names;
  }
}
