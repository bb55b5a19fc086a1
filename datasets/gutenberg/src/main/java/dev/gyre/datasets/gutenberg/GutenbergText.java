package dev.gyre.datasets.gutenberg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Finds the book itself between the header and the footer that Project Gutenberg puts around it.
 *
 * <p>Known are the lines {@code *** START OF THE PROJECT GUTENBERG EBOOK ... ***} and {@code ***
 * END OF ...} with their variants (THIS, no spaces, several lines, lower case), and those of the
 * older files: {@code *END*THE SMALL PRINT! ...} and {@code End of the Project Gutenberg Etext of
 * ...}. Works on bytes, of any encoding that contains ASCII.
 */
public final class GutenbergText {

  /** Headers are a page or, with the small print of the nineties, a few. */
  private static final long HEADER_BYTES = 64 << 10;

  /** Titles make a marker run over a few lines. */
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
   * In the words of English, German, French, Italian, Portuguese, Spanish and Dutch files. The
   * apostrophe of a genitive is one byte or three.
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
   * The book without header, footer, credits and the blank lines around it; a slice, no copy.
   *
   * @return the whole text where it has no marks of Project Gutenberg
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

  /** The book without header, footer, credits and the blank lines around it, as a copy. */
  public static byte[] strip(byte[] text) {
    return strip(MemorySegment.ofArray(text)).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Whether a text has a header that promises a footer, but no footer: its end is missing. */
  public static boolean isTruncated(MemorySegment text) {
    return header(text, text.byteSize()) > 0 && footer(text) == text.byteSize();
  }

  /** Where the header ends: behind the last mark of one; 0 where there is none. */
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

  /** Where the footer begins: at the first line of its mark; the size where there is none. */
  private static long footer(MemorySegment text) {
    long size = text.byteSize();
    long inWords = size;
    long found = size;
    // Backwards, so that only the footer is looked at, and not the book.
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

  /** The line "End of Project Gutenberg's ..." that often stands a little before the mark. */
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

  /** Skips a paragraph that says who produced the file. */
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

  /** Length of what begins at {@code start} without the blank lines at its end. */
  private static long trim(MemorySegment text, long start, long end) {
    long at = end;
    while (at > start && line(text, lineBefore(text, at), at).isBlank()) {
      at = Math.max(start, lineBefore(text, at));
    }
    return Math.max(0, at - start);
  }

  /** The first bytes of the line that begins at an index, without its end and a byte order mark. */
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

  /** Beginning of the line before the one that begins at an index; -1 where there is none. */
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
