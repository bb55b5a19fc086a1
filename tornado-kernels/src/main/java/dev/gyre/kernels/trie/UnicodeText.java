package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ThreadInts;

/**
 * Device functions that find letters and words in a UTF-8 text.
 *
 * <p>A byte outside a well-formed code point is not a letter, and the next byte may begin one. So
 * code points are the same wherever decoding begins, and a strip may begin anywhere.
 */
final class UnicodeText {

  private static final int ASCII_END = 0x80;
  private static final int TWO_BYTES = 0xc0;
  private static final int THREE_BYTES = 0xe0;
  private static final int FOUR_BYTES = 0xf0;
  private static final int SIX_BITS = 0x3f;

  /** Key of a word without a key: negative, so that no cache contains it. */
  static final long NO_KEY = Long.MIN_VALUE;

  private UnicodeText() {}

  /**
   * Returns the {@link Letter} that begins at a byte.
   *
   * @param length length of the text, more than {@code at}
   * @param table see {@link UnicodeTable#table}
   */
  static long letterAt(Bytes text, long at, long length, ThreadInts table) {
    int first = text.getUnsigned(at);
    long letter;
    if (first < ASCII_END) {
      letter = letter(first, 1, table);
    } else {
      letter = longLetterAt(first, text, at, length, table);
    }
    return letter;
  }

  private static long letter(int code, int size, ThreadInts table) {
    int block = table.get(code >> UnicodeTable.BLOCK_SHIFT);
    return (long) size << Integer.SIZE | table.get(block + (code & SIX_BITS));
  }

  /** Returns the letter that begins with a byte outside ASCII. */
  static long longLetterAt(int first, Bytes text, long at, long length, ThreadInts table) {
    long last = length - 1;
    // Each is less than 64 if it continues a code point. Bytes after the end are not used.
    int second = text.getUnsigned(Math.min(at + 1, last)) ^ ASCII_END;
    int third = text.getUnsigned(Math.min(at + 2, last)) ^ ASCII_END;
    int fourth = text.getUnsigned(Math.min(at + 3, last)) ^ ASCII_END;
    // All bits set for code points of three or four bytes, and for code points of four. Arithmetic
    // instead of branches, which would differ from letter to letter.
    int three = (THREE_BYTES - 1 - first) >> 31;
    int four = (FOUR_BYTES - 1 - first) >> 31;
    int size = 2 - three - four;
    // For two bytes, less than the minimum if the first byte is a continuation byte.
    int code =
        (((first - TWO_BYTES) << 6 | second) & ~three)
            | (((first - THREE_BYTES) << 12 | second << 6 | third) & three & ~four)
            | (((first - FOUR_BYTES) << 18 | second << 12 | third << 6 | fourth) & four);
    int least = (0x80 & ~three) | (0x800 & three & ~four) | (0x1_0000 & four);
    int rest = second | (third & three) | (fourth & four);
    int malformed =
        (rest >> 6)
            | ((code - least) >> 31)
            | ((Character.MAX_CODE_POINT - code) >> 31)
            | (int) ((length - at - size) >> 63);
    code = malformed == 0 ? code : UnicodeTable.NO_LETTER;
    size = malformed == 0 ? size : 1;
    return letter(code, size, table);
  }

  /**
   * Returns the beginning of the code point around the byte before {@code at}: at most three bytes
   * before that byte.
   */
  static long beginBefore(Bytes text, long at) {
    long begin = at - 1;
    begin -= goesOn(text, begin);
    begin -= goesOn(text, begin);
    return begin - goesOn(text, begin);
  }

  /** Returns 1 if a byte continues a code point, otherwise 0. */
  private static long goesOn(Bytes text, long at) {
    int other = (text.getUnsigned(at) & TWO_BYTES) ^ ASCII_END;
    return Math.min(at, (other - 1) >> 31 & 1);
  }

  /**
   * Returns the end of the word around {@code begin}, otherwise of the letter around it, otherwise
   * {@code begin}; at most {@code end}, except for the rest of a letter.
   *
   * <p>Combining marks before {@code begin} belong to a word if a letter precedes them: all of them
   * are examined.
   */
  static long wordEnd(Bytes text, long begin, long end, long length, ThreadInts table) {
    long at = begin;
    long back = begin;
    long inside = 0;
    boolean marks = begin > 0 && begin < length;
    while (marks) {
      long letterBegin = beginBefore(text, back);
      long letter = letterAt(text, letterBegin, length, table);
      // A letter that ends before does not count.
      letter &= (back - 1 - letterBegin - Letter.bytes(letter)) >> 63;
      // Later letters end before the first of these does.
      at = Math.max(at, letterBegin + Letter.bytes(letter));
      inside = Letter.beginning(letter);
      marks = Math.min(letterBegin, Letter.mark(letter)) > 0;
      back = letterBegin;
    }
    boolean on = Math.min(inside, end - at) > 0;
    while (on) {
      long letter = letterAt(text, at, length, table);
      int steps = Letter.steps(letter);
      at += steps > 0 ? Letter.bytes(letter) : 0;
      on = Math.min(steps, end - at) > 0;
    }
    return at;
  }

  /** Returns whether a word begins with the code point at {@code at}. */
  static boolean begins(Bytes text, long at, long length, ThreadInts table) {
    int begins = Letter.beginning(letterAt(text, at, length, table));
    long back = at;
    boolean on = Math.min(begins, at) > 0;
    // Marks before it belong to a word if a letter precedes them.
    while (on) {
      long letterBegin = beginBefore(text, back);
      long letter = letterAt(text, letterBegin, length, table);
      // A letter that ends before does not count.
      letter &= (back - 1 - letterBegin - Letter.bytes(letter)) >> 63;
      begins = 1 - Letter.beginning(letter);
      on = Math.min(letterBegin, Letter.mark(letter)) > 0;
      back = letterBegin;
    }
    return begins > 0;
  }

  /**
   * Returns the beginning of the next word, from between words on; {@code stop} or more if there is
   * no word before it.
   */
  static long nextWord(Bytes text, long begin, long stop, long length, ThreadInts table) {
    long at = begin;
    boolean on = at < stop;
    while (on) {
      long letter = letterAt(text, at, length, table);
      long separates = 1L - Letter.beginning(letter);
      at += separates * Letter.bytes(letter);
      on = Math.min(separates, stop - at) > 0;
    }
    return at;
  }

  /**
   * Returns the key of the letters from {@code begin} on, at most to {@code end}; {@link #NO_KEY}
   * if they are too many.
   */
  static long key(Bytes text, long begin, long end, long length, ThreadInts table) {
    long at = begin;
    long key = WordKey.PACKED;
    int shift = 0;
    boolean on = at < end;
    while (on) {
      long letter = letterAt(text, at, length, table);
      key |= (long) Letter.steps(letter) << shift;
      shift += Letter.bits(letter);
      at += Letter.bytes(letter);
      long words = Math.min(end - at, WordKey.KEY_BITS + 1 - shift);
      on = Math.min(Letter.steps(letter), words) > 0;
    }
    return shift <= WordKey.KEY_BITS ? key : NO_KEY;
  }
}
