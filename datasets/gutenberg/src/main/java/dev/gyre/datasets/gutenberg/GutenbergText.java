package dev.gyre.datasets.gutenberg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Finds the text of a book between the header and the footer of Project Gutenberg.
 *
 * <p>It recognises the lines {@code *** START OF THE PROJECT GUTENBERG EBOOK ... ***} and {@code
 * *** END OF ...} with their variants (THIS, no spaces, several lines, lower case). It also
 * recognises the lines of older files: {@code *END*THE SMALL PRINT! ...} and {@code End of the
 * Project Gutenberg Etext of ...}. It works on bytes, in any encoding that contains ASCII.
 *
 * @since 0.1.0
 */
public final class GutenbergText {

  /**
   * Largest size of a header, in bytes: a page or, with the small print of the nineties, several
   * pages.
   */
  private static final long HEADER_BYTES = 64 << 10;

  /** Largest number of lines of a marker, which contains the title. */
  private static final int MARKER_LINES = 5;

  private static final int LINE_BYTES = 200;

  private static final Pattern START =
      Pattern.compile(
          "\\*{3} ?START OF (THE |THIS )?(COPYRIGHTED )?PROJECT GUTENBERG.*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern SMALL_PRINT =
      Pattern.compile("\\*END ?\\*? ?THE SMALL PRINT.*", Pattern.CASE_INSENSITIVE);
  private static final Pattern END =
      Pattern.compile(
          "\\*{3} ?END OF (THE |THIS )?(COPYRIGHTED )?PROJECT GUTENBERG.*",
          Pattern.CASE_INSENSITIVE);

  /**
   * Footers in English, German, French, Italian, Portuguese, Spanish and Dutch. The apostrophe of a
   * genitive is one byte or three.
   */
  private static final Pattern END_IN_WORDS =
      Pattern.compile(
          "\\*{0,3} ?(END OF|ENDE (VON|DES|DIESES)|FIN D(E|U|EL)|FINE D(I|EL)|FIM D[EO]|EINDE VAN)"
              + " (THE |THIS |DIT |L.{1,3}EBOOK DU )?PRO(JECT|JEKT|JET|GETTO|JETO|YECTO) GUTENBERG"
              + "(.{1,3}S)? .*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern CREDITS =
      Pattern.compile(
          "(PRODUCED BY|PRODUIT PAR|E-?TEXT PREPARED BY|TRANSCRIBED (FROM|BY)"
              + "|THIS (E-?TEXT|EBOOK) WAS (PRODUCED|PREPARED) BY) ?.*",
          Pattern.CASE_INSENSITIVE);

  private GutenbergText() {}

  /**
   * Returns the book without header, footer, credits and surrounding blank lines, as a slice.
   *
   * @return the whole text if it has no markers of Project Gutenberg
   */
  public static MemorySegment strip(MemorySegment text) {
    long end = footer(text);
    long start = header(text, end);
    if (start == 0 && end == text.byteSize()) {
      return text;
    }
    start = skipBlank(text, start, end);
    start = skipCredits(text, start, end);
    return text.asSlice(start, trim(text, start, end));
  }

  /** Returns the book without header, footer, credits and surrounding blank lines, as a copy. */
  public static byte[] strip(byte[] text) {
    return strip(MemorySegment.ofArray(text)).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Returns whether a text has a header that announces a footer, and no footer, so that its end is
   * missing.
   */
  public static boolean isTruncated(MemorySegment text) {
    return header(text, text.byteSize()) > 0 && footer(text) == text.byteSize();
  }

  /** Returns the end of the header, after its last marker, or 0. */
  private static long header(MemorySegment text, long end) {
    long limit = Math.min(end, HEADER_BYTES);
    long found = 0;
    for (long at = 0; at < limit; at = nextLine(text, at, end)) {
      String line = line(text, at, end);
      if (START.matcher(line).matches()) {
        found = behindMarker(text, at, end);
      } else if (SMALL_PRINT.matcher(line).matches()) {
        found = nextLine(text, at, end);
      }
    }
    return found;
  }

  private static long behindMarker(MemorySegment text, long from, long end) {
    long first = nextLine(text, from, end);
    long at = from;
    for (int i = 0; i < MARKER_LINES && at < end; i++) {
      String line = line(text, at, end).stripTrailing();
      at = nextLine(text, at, end);
      if (line.endsWith("***")) {
        return at;
      }
    }
    return first;
  }

  /** Returns the start of the footer, at the first line of its marker, or the size of the text. */
  private static long footer(MemorySegment text) {
    long size = text.byteSize();
    long inWords = size;
    long found = size;
    // Backwards, so that only the footer is read, and not the book.
    for (long at = lineBefore(text, size); at >= 0 && found == size; at = lineBefore(text, at)) {
      String line = line(text, at, size);
      if (END.matcher(line).matches()) {
        found = at;
      } else if (inWords == size && END_IN_WORDS.matcher(line).matches()) {
        inWords = at;
      }
    }
    return found == size ? inWords : wordsBefore(text, found);
  }

  /**
   * Finds the line "End of Project Gutenberg's ..." that often stands a little before the marker.
   */
  private static long wordsBefore(MemorySegment text, long mark) {
    long at = mark;
    for (int i = 0; i < MARKER_LINES && at > 0; i++) {
      at = lineBefore(text, at);
      if (END_IN_WORDS.matcher(line(text, at, mark)).matches()) {
        return at;
      }
    }
    return mark;
  }

  /** Skips a paragraph with credits of the producers. */
  private static long skipCredits(MemorySegment text, long start, long end) {
    if (!CREDITS.matcher(line(text, start, end)).matches()) {
      return start;
    }
    long at = start;
    while (at < end && !line(text, at, end).isBlank()) {
      at = nextLine(text, at, end);
    }
    return skipBlank(text, at, end);
  }

  private static long skipBlank(MemorySegment text, long start, long end) {
    long at = start;
    while (at < end && line(text, at, end).isBlank()) {
      at = nextLine(text, at, end);
    }
    return at;
  }

  /** Returns the length of the text from {@code start} without blank lines at its end. */
  private static long trim(MemorySegment text, long start, long end) {
    long at = end;
    while (at > start && line(text, lineBefore(text, at), at).isBlank()) {
      at = Math.max(start, lineBefore(text, at));
    }
    return Math.max(0, at - start);
  }

  /** Returns the first bytes of a line, without its end and a byte-order mark. */
  private static String line(MemorySegment text, long from, long end) {
    long to = from;
    while (to < end && to - from < LINE_BYTES && get(text, to) != '\n') {
      to++;
    }
    byte[] bytes = text.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    String line = new String(bytes, StandardCharsets.ISO_8859_1);
    return line.startsWith("\u00ef\u00bb\u00bf") ? line.substring(3).strip() : line.strip();
  }

  private static long nextLine(MemorySegment text, long from, long end) {
    long at = from;
    while (at < end && get(text, at) != '\n') {
      at++;
    }
    return Math.min(at + 1, end);
  }

  /** Returns the start of the previous line, or -1. */
  private static long lineBefore(MemorySegment text, long from) {
    if (from == 0) {
      return -1;
    }
    long at = from - 1;
    while (at > 0 && get(text, at - 1) != '\n') {
      at--;
    }
    return at;
  }

  private static byte get(MemorySegment text, long index) {
    return text.get(ValueLayout.JAVA_BYTE, index);
  }
}
