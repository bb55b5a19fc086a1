package dev.gyre.kernels.trie;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Device functions that find the words of ASCII letters eight bytes at a time.
 *
 * <p>A <em>window</em> is eight bytes of the text in a long, the first in its lowest bits. Which of
 * them are letters is worked out for all eight at once, with carries that never leave a byte; the
 * lowest bit of what is left then says where the word ends. No branch depends on a letter.
 */
final class AsciiWindows {

  /**
   * How many bytes before the end of the text the last window may begin: a word is looked at in two
   * windows, each taken from two aligned longs.
   */
  static final int MARGIN = 24;

  private static final int WINDOW = 8;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  /** Bits of a letter in a key: 1 for a, 26 for z, whatever the case. */
  static final int KEY_SHIFT = 5;

  private static final int KEY_OF_WINDOW = WINDOW * KEY_SHIFT;
  private static final long LONGEST_KEY = TrieFunctions.longestKey(KEY_SHIFT);

  private AsciiWindows() {}

  /**
   * Counts the words that are in the cache, up to the first that is not.
   *
   * @param words the text, as longs
   * @param begin where to begin: between words
   * @param stop where no further word may begin; at most the text's length less {@link #MARGIN}
   * @return where the first word begins that is not in the cache; {@code stop} or more if none
   */
  static long countCached(
      ThreadLongs words, long begin, long stop, ThreadLongs pending, long cache, int pendingMask) {
    long at = begin;
    boolean known = at < stop;
    while (known) {
      long base = at;
      long window = window(words, base);
      long letters = letters(window);
      long word = leading(~letters & HIGH);
      long key = key(window & word);
      long length = bytes(word);
      if (length == WINDOW) {
        // A second window, which may add as many letters as a key has room for.
        base += WINDOW;
        window = window(words, base);
        letters = letters(window);
        word = leading(~letters & HIGH);
        key |= key(window & word) << KEY_OF_WINDOW;
        length += bytes(word);
      }
      if (length > 0) {
        known = TrieFunctions.hit(key, LONGEST_KEY - length, pending, cache, pendingMask);
      }
      if (known) {
        // On to the next letter, or to the end of the window.
        at = base + bytes(leading(letters & ~word));
        known = at < stop;
      }
    }
    return at;
  }

  /** The key of the word that begins at {@code at}; 0 if it has none, or is not before a limit. */
  static long keyAt(ThreadLongs words, long at, long limit) {
    long key = 0;
    if (at < limit) {
      long first = window(words, at);
      long word = leading(~letters(first) & HIGH);
      key = key(first & word);
      if (bytes(word) == WINDOW) {
        long second = window(words, at + WINDOW);
        word = leading(~letters(second) & HIGH);
        key = bytes(word) <= LONGEST_KEY - WINDOW ? key | (key(second & word) << KEY_OF_WINDOW) : 0;
      }
    }
    return key;
  }

  /** How many letters the word that begins at {@code at} has, up to 16. */
  static long lengthAt(ThreadLongs words, long at) {
    long length = bytes(leading(~letters(window(words, at)) & HIGH));
    if (length == WINDOW) {
      length += bytes(leading(~letters(window(words, at + WINDOW)) & HIGH));
    }
    return length;
  }

  /** The eight bytes from {@code at} on. */
  static long window(ThreadLongs words, long at) {
    long index = at >> 3;
    int shift = ((int) at & 7) << 3;
    return Unsigned.shiftRight(words.get(index), shift)
        | ((words.get(index + 1) << 1) << (63 - shift));
  }

  /** The high bit of each byte that is a letter. */
  static long letters(long window) {
    long folded = (window | ONES * 0x20) & ~HIGH;
    long fromA = folded + ONES * (0x80 - 'a');
    long aboveZ = folded + ONES * (0x7f - 'z');
    return fromA & ~aboveZ & ~window & HIGH;
  }

  /** All bits of the bytes before the first whose high bit is set in {@code marks}. */
  static long leading(long marks) {
    return Unsigned.shiftRight(marks & -marks, 7) - 1;
  }

  /** Number of bytes in a mask of whole bytes. */
  static long bytes(long mask) {
    return Unsigned.shiftRight((mask & ONES) * ONES, 56);
  }

  /** Five bits of each byte, side by side. */
  static long key(long letters) {
    long pairs = (letters & 0x001f_001f_001f_001fL) | ((letters & 0x1f00_1f00_1f00_1f00L) >> 3);
    long fours = (pairs & 0x0000_03ff_0000_03ffL) | ((pairs & 0x03ff_0000_03ff_0000L) >> 6);
    return (fours & 0xf_ffffL) | ((fours & 0x000f_ffff_0000_0000L) >> 12);
  }
}
