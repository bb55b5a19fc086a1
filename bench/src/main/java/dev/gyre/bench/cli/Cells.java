package dev.gyre.bench.cli;

import java.lang.Character.UnicodeScript;

/** How many cells of a terminal's line letters take. */
final class Cells {

  private Cells() {}

  /** Cells of a text. */
  static int of(String text) {
    return text.codePoints().map(Cells::of).sum();
  }

  /** Cells of a code point: none for a mark over another, two for the wide ones of East Asia. */
  static int of(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    if (codePoint < 0x1100) {
      return 1;
    }
    return switch (UnicodeScript.of(codePoint)) {
      case HAN, HIRAGANA, KATAKANA, BOPOMOFO, YI, TANGUT, NUSHU, KHITAN_SMALL_SCRIPT ->
          isHalfwidth(codePoint) ? 1 : 2;
      // A vowel or final consonant goes into the cells of the consonant that it follows.
      case HANGUL -> codePoint >= 0x1160 && codePoint < 0x1200 ? 0 : isHalfwidth(codePoint) ? 1 : 2;
      default -> 1;
    };
  }

  private static boolean isHalfwidth(int codePoint) {
    return codePoint >= 0xff61 && codePoint < 0xffe0;
  }

  /** As much of a text, from its beginning, as fits into some cells. */
  static String firstOf(String text, int cells) {
    int left = cells;
    int end = 0;
    while (end < text.length() && of(text.codePointAt(end)) <= left) {
      left -= of(text.codePointAt(end));
      end = text.offsetByCodePoints(end, 1);
    }
    return text.substring(0, end);
  }
}
