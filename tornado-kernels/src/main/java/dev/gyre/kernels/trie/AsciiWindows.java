package dev.gyre.kernels.trie;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Device functions that find the words of ASCII letters eight bytes at a time.
 *
 * <p>A <em>window</em> is eight bytes of the text in a long, the first in its lowest bits. Which of
 * them are letters is worked out for all eight at once, with carries that never leave a byte; the
 * lowest bit of what is left then says where the word ends. No branch depends on a letter. What is
 * before that bit is the word's key, where the word ends in its first window: most do.
 */
final class AsciiWindows {

  /**
   * How many bytes before the end of the text the last window may begin: a word is looked at in two
   * windows, each taken from two aligned longs.
   */
  static final int MARGIN = 24;

  static final int WINDOW = 8;
  static final long ALL = -1;
  static final long ONES = 0x0101_0101_0101_0101L;

  /** The bits of a letter that are its number: 1 for a, 26 for z, whatever the case. */
  static final long NUMBERS = ONES * 0x1f;

  /** Bits of a letter in a packed key. */
  static final int KEY_SHIFT = 5;

  /** Bits of a letter in the key of a word that ends in its first window: that window's. */
  private static final int BYTE_SHIFT = WordCache.BYTE_SHIFT;

  private static final int KEY_OF_WINDOW = WINDOW * KEY_SHIFT;

  private AsciiWindows() {}

  /**
   * Counts the words that are first of their pairs in the cache, up to the one that is not.
   *
   * @param words the text, as longs
   * @param begin where to begin: between words
   * @param stop where no further word may begin; at most the text's length less {@link #MARGIN}
   * @return where the first word begins that is not; {@code stop} or more if none
   */
  static long countCached(
      ThreadLongs words, long begin, long stop, ThreadLongs pending, long cache, int pendingMask) {
    long at = begin;
    boolean known = at < stop;
    while (known) {
      long base = at;
      long window = window(words, base);
      long numbers = window & NUMBERS;
      long letters = letters(window, numbers);
      long word = before(letters ^ ONES);
      long key = numbers & word;
      if (word == ALL) {
        base += WINDOW;
        window = window(words, base);
        numbers = window & NUMBERS;
        letters = letters(window, numbers);
        word = before(letters ^ ONES);
        key = longKey(key, numbers & word);
      }
      if (key != WordCache.NO_WORD) {
        known = WordCache.hit(key, pending, cache, pendingMask);
      }
      if (known) {
        // On to the next letter, or to the end of the window.
        at = base + bytes(before(letters & ~word));
        known = at < stop;
      }
    }
    return at;
  }

  /** The key of the word that begins at {@code at}; 0 if it has none, or is not before a limit. */
  static long keyAt(ThreadLongs words, long at, long limit) {
    long key = WordCache.NO_WORD;
    if (at < limit) {
      long window = window(words, at);
      long word = before(letters(window, window & NUMBERS) ^ ONES);
      key = window & NUMBERS & word;
      if (word == ALL) {
        long second = window(words, at + WINDOW);
        word = before(letters(second, second & NUMBERS) ^ ONES);
        key = Math.max(longKey(key, second & NUMBERS & word), WordCache.NO_WORD);
      }
    }
    return key;
  }

  /** How many letters the word that begins at {@code at} has, up to 16. */
  static long lengthAt(ThreadLongs words, long at) {
    long window = window(words, at);
    long length = bytes(before(letters(window, window & NUMBERS) ^ ONES));
    if (length == WINDOW) {
      window = window(words, at + WINDOW);
      length += bytes(before(letters(window, window & NUMBERS) ^ ONES));
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

  /**
   * The lowest bit of each byte that is a letter: a byte from 64 to 127 whose last five bits are
   * from 1 to 26.
   */
  static long letters(long window, long numbers) {
    long fromA = numbers + ONES * 0x7f;
    long aboveZ = numbers + ONES * (0x7f - 26);
    return Unsigned.shiftRight(fromA & ~aboveZ & (window << 1) & ~window, 7) & ONES;
  }

  /** All bits before the first that is set in {@code marks}. */
  static long before(long marks) {
    return (marks - 1) & ~marks;
  }

  /** Number of bytes in a mask that ends at the first bit of a byte. */
  static long bytes(long mask) {
    return Unsigned.shiftRight((mask & ONES) * ONES, 56);
  }

  /**
   * The key of a word that fills its first window: packed, so that it has room for four letters of
   * the second. Negative, so the key of no word in the cache, where there are more.
   */
  static long longKey(long first, long second) {
    long tooMany = -Unsigned.shiftRight(second, WINDOW / 2 * BYTE_SHIFT);
    return WordCache.PACKED
        | pack(first)
        | (pack(second) << KEY_OF_WINDOW)
        | (tooMany & Long.MIN_VALUE);
  }

  /** The numbers of letters, of five bits each, side by side. */
  static long pack(long numbers) {
    long pairs = (numbers & 0x001f_001f_001f_001fL) | ((numbers & 0x1f00_1f00_1f00_1f00L) >> 3);
    long fours = (pairs & 0x0000_03ff_0000_03ffL) | ((pairs & 0x03ff_0000_03ff_0000L) >> 6);
    return (fours & 0xf_ffffL) | ((fours & 0x000f_ffff_0000_0000L) >> 12);
  }
}
