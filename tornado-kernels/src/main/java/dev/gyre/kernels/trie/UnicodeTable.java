package dev.gyre.kernels.trie;

import java.util.Arrays;

/**
 * Letters and combining marks of Unicode, folded and as steps, in a two-stage table.
 *
 * <p><b>Letters.</b> A letter is defined by {@link Character#isLetter(int)}, a mark by the general
 * categories Mn, Mc and Me. Letters are the same if Unicode's simple case folding makes them the
 * same, code point by code point: letters with one {@code toLowerCase(toUpperCase(c))}, such as the
 * sigmas, and three pairs without an upper case of one code point. They are written in lower case,
 * including Cherokee, which Unicode folds to upper case. The dotted capital I and the dotless small
 * one are not folded, as Unicode requires outside Turkish.
 *
 * <p><b>Steps.</b> The order of steps is that of code points, and so of UTF-8 bytes. The ASCII
 * letters are the steps 0 to 25. Each further step is followed by digits to the base {@value
 * #RADIX}, which select a code point of a range:
 *
 * <table>
 *   <caption>Ranges</caption>
 *   <tr><th>step<th>digits<th>first code point<th>such as
 *   <tr><td>26<td>2<td>U+0080<td>Latin with diacritics, Greek
 *   <tr><td>27<td>2<td>U+0404<td>Cyrillic, Armenian, Hebrew, Arabic
 *   <tr><td>28<td>3<td>U+0788<td>the scripts of India, Thai, Kana, half of Han
 *   <tr><td>29<td>4<td>U+7100<td>the rest
 * </table>
 *
 * <p>So a trie of English words has the same nodes as with the ASCII alphabet, of the same size.
 * Which code points are letters depends on the Unicode version of the Java runtime; the steps of a
 * code point do not.
 */
final class UnicodeTable {

  /** Number of steps, which is the number of edges of a large node. */
  static final int RADIX = 30;

  /** Shift of the number of code points of a second-stage block. */
  static final int BLOCK_SHIFT = 6;

  /** Code point that is not a letter. */
  static final int NO_LETTER = Character.MIN_SURROGATE;

  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final int BLOCKS = (Character.MAX_CODE_POINT + 1) >> BLOCK_SHIFT;
  private static final int ASCII_STEPS = 26;
  private static final int[] DIGITS = {2, 2, 3, 4};
  private static final int[] FIRSTS = {0x80, 0x404, 0x788, 0x7100};

  // Start of ten planes without characters between the ideographs and the variation selectors. Four
  // digits are too few for them, so that they are left out.
  private static final int GAP_BEGIN = 0x4_0000;
  private static final int GAP_END = 0xe_0000;
  private static final int GAP = 0x8_0000;

  private static final int[] TABLE = build();

  private UnicodeTable() {}

  /**
   * Returns the table: for each block of code points its start in the second stage, followed by the
   * second stage with a {@link Letter} per code point.
   */
  static int[] table() {
    return TABLE;
  }

  /** Returns the letter of a code point, with 0 bytes. */
  static int letterOf(int codePoint) {
    return TABLE[TABLE[codePoint >> BLOCK_SHIFT] + (codePoint & (BLOCK - 1))];
  }

  private static int[] build() {
    int[] table = new int[1 << 18];
    int noLetters = BLOCKS;
    int end = noLetters + BLOCK;
    for (int block = 0; block < BLOCKS; block++) {
      if (end + BLOCK > table.length) {
        table = Arrays.copyOf(table, 2 * table.length);
      }
      boolean letters = false;
      for (int i = 0; i < BLOCK; i++) {
        table[end + i] = make((block << BLOCK_SHIFT) + i);
        letters |= table[end + i] != 0;
      }
      table[block] = letters ? end : noLetters;
      end += letters ? BLOCK : 0;
    }
    return Arrays.copyOf(table, end);
  }

  private static int make(int codePoint) {
    boolean letter = Character.isLetter(codePoint);
    boolean inGap = codePoint >= GAP_BEGIN && codePoint < GAP_END;
    return inGap || !(letter || isMark(codePoint)) ? 0 : stepsOf(fold(codePoint), letter);
  }

  private static boolean isMark(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  /** Returns the folded code point. */
  static int fold(int codePoint) {
    return switch (codePoint) {
      case 'İ', 'ı' -> codePoint;
      // Pairs without a visible difference.
      case 'ﬅ' -> 'ﬆ';
      case '\u1fd3' -> '\u0390';
      case '\u1fe3' -> '\u03b0';
      default -> Character.toLowerCase(Character.toUpperCase(codePoint));
    };
  }

  private static int stepsOf(int folded, boolean begins) {
    if (folded < FIRSTS[0]) {
      return Letter.of(folded - 'a' + 1, 1, begins);
    }
    int place = folded < GAP_BEGIN ? folded : folded - GAP;
    int range = rangeOf(place);
    int rest = place - FIRSTS[range];
    int steps = 0;
    for (int digit = 0; digit < DIGITS[range]; digit++) {
      steps = (steps | (rest % RADIX + 1)) << Letter.STEP_BITS;
      rest /= RADIX;
    }
    return Letter.of(steps | (ASCII_STEPS + range + 1), DIGITS[range] + 1, begins);
  }

  private static int rangeOf(int place) {
    int range = 0;
    while (range + 1 < FIRSTS.length && place >= FIRSTS[range + 1]) {
      range++;
    }
    return range;
  }

  /** Returns the number of steps of the letter that begins with a step. */
  static int length(int firstStep) {
    return firstStep < ASCII_STEPS ? 1 : 1 + DIGITS[firstStep - ASCII_STEPS];
  }

  /**
   * Returns the code point of some steps.
   *
   * @param steps numbers of steps, with a complete letter from {@code at} on
   */
  static int codePoint(byte[] steps, int at) {
    int first = steps[at];
    if (first < ASCII_STEPS) {
      return 'a' + first;
    }
    int range = first - ASCII_STEPS;
    int place = 0;
    for (int digit = 1; digit <= DIGITS[range]; digit++) {
      place = place * RADIX + steps[at + digit];
    }
    place += FIRSTS[range];
    return place < GAP_BEGIN ? place : place + GAP;
  }
}
