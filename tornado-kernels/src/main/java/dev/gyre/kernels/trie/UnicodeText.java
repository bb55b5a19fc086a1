package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ThreadInts;

/**
 * Device functions that find letters and words in a text in UTF-8.
 *
 * <p>A byte that is no part of a well-formed code point is no letter: one is looked for anew behind
 * it. So a code point is the same wherever one begins to look, and a strip may begin anywhere.
 */
final class UnicodeText {

  private static final int ASCII_END = 0x80;
  private static final int THREE_BYTES = 0xe0;
  private static final int FOUR_BYTES = 0xf0;
  private static final int SIX_BITS = 0x3f;

  /** Most bytes of a code point before its last. */
  private static final int MOST_BEFORE = 3;

  private UnicodeText() {}

  /**
   * The {@link Letter} that begins at a byte.
   *
   * @param length bytes of the text; {@code at} is less
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

  /** The letter that begins with a byte that is none of ASCII. */
  static long longLetterAt(int first, Bytes text, long at, long length, ThreadInts table) {
    long last = length - 1;
    // Each less than 64 if it goes on with a code point. Bytes behind the end are not used.
    int second = text.getUnsigned(Math.min(at + 1, last)) ^ ASCII_END;
    int third = text.getUnsigned(Math.min(at + 2, last)) ^ ASCII_END;
    int fourth = text.getUnsigned(Math.min(at + 3, last)) ^ ASCII_END;
    int code;
    int least;
    int rest;
    int size;
    if (first < THREE_BYTES) {
      // Less than the least where the first byte is one that only goes on.
      code = (first - 0xc0) << 6 | second;
      least = 0x80;
      rest = second;
      size = 2;
    } else {
      if (first < FOUR_BYTES) {
        code = (first - THREE_BYTES) << 12 | second << 6 | third;
        least = 0x800;
        rest = second | third;
        size = 3;
      } else {
        code = (first - FOUR_BYTES) << 18 | second << 12 | third << 6 | fourth;
        least = 0x1_0000;
        rest = second | third | fourth;
        size = 4;
      }
    }
    // Arithmetic rather than conditions, each of which were a branch.
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
   * Where the code point begins that has, or would have, the byte before {@code at}: at most three
   * bytes before that byte.
   */
  static long beginBefore(Bytes text, long at) {
    long begin = at - 1;
    long least = Math.max(0, begin - MOST_BEFORE);
    boolean further = goesOn(text, begin) && begin > least;
    while (further) {
      begin--;
      further = goesOn(text, begin) && begin > least;
    }
    return begin;
  }

  private static boolean goesOn(Bytes text, long at) {
    return (text.getUnsigned(at) & 0xc0) == ASCII_END;
  }

  /**
   * The end of the word that {@code begin} is inside, or else of the letter that it is inside; else
   * {@code begin}. No further than {@code end}, but for the rest of a letter.
   *
   * <p>Combining marks before {@code begin} are of a word if there is a letter before them: all of
   * them are looked at.
   */
  static long wordEnd(Bytes text, long begin, long end, long length, ThreadInts table) {
    long at = begin;
    long back = begin;
    boolean inside = false;
    boolean marks = begin > 0 && begin < length;
    while (marks) {
      long letterBegin = beginBefore(text, back);
      long letter = letterAt(text, letterBegin, length, table);
      long letterEnd = letterBegin + Letter.bytes(letter);
      boolean covers = Letter.steps(letter) != 0 && letterEnd >= back;
      at = covers && back == begin ? letterEnd : at;
      inside = covers && Letter.begins(letter);
      marks = covers && !inside && letterBegin > 0;
      back = letterBegin;
    }
    boolean on = inside && at < end;
    while (on) {
      long letter = letterAt(text, at, length, table);
      boolean letters = Letter.steps(letter) != 0;
      at += letters ? Letter.bytes(letter) : 0;
      on = letters && at < end;
    }
    return at;
  }

  /** Where the next word begins, from between words on; {@code stop} or more if none before it. */
  static long nextWord(Bytes text, long begin, long stop, long length, ThreadInts table) {
    long at = begin;
    boolean on = at < stop;
    while (on) {
      long letter = letterAt(text, at, length, table);
      boolean begins = Letter.begins(letter);
      at += begins ? 0 : Letter.bytes(letter);
      on = !begins && at < stop;
    }
    return at;
  }

  /** Where the letters end that begin at {@code begin}. */
  static long lettersEnd(Bytes text, long begin, long length, ThreadInts table) {
    long at = begin;
    boolean on = at < length;
    while (on) {
      long letter = letterAt(text, at, length, table);
      boolean letters = Letter.steps(letter) != 0;
      at += letters ? Letter.bytes(letter) : 0;
      on = letters && at < length;
    }
    return at;
  }

  /** The key of the letters from {@code begin} to {@code end}; 0 if they are too many for one. */
  static long key(Bytes text, long begin, long end, long length, ThreadInts table) {
    long at = begin;
    long key = WordCache.PACKED;
    int shift = 0;
    boolean on = at < end;
    while (on) {
      long letter = letterAt(text, at, length, table);
      key |= (long) Letter.steps(letter) << shift;
      shift += Letter.bits(letter);
      at += Letter.bytes(letter);
      on = at < end && shift <= WordCache.KEY_BITS;
    }
    return shift <= WordCache.KEY_BITS ? key : WordCache.NO_WORD;
  }
}
