package dev.gyre.kernels.trie;

import dev.gyre.atomics.Unsigned;

/**
 * Device functions that find words of ASCII letters, eight bytes at a time.
 *
 * <p>A <em>window</em> is a long with eight bytes of the text, the first in its lowest bits. All
 * eight bytes are classified at once, with carries that never leave a byte. The lowest bit of the
 * remaining non-letters shows where the word ends. No branch depends on a letter. If the word ends
 * in its first window, as most do, the bytes before that bit are the key of the word.
 */
final class AsciiWindows {

  static final int WINDOW = 8;
  static final long ALL = -1;
  static final long ONES = 0x0101_0101_0101_0101L;

  /** Bits of a letter with its number: 1 for a, 26 for z, in either case. */
  static final long NUMBERS = ONES * 0x1f;

  /** Bits of a letter in a packed key. */
  static final int KEY_SHIFT = 5;

  /** Bits of a letter in the key of a word that ends in its first window. */
  private static final int BYTE_SHIFT = WordKey.BYTE_SHIFT;

  private static final int LETTERS = 26;
  private static final int LAST_NUMBER = 0x1f;

  /** Number of windows of a chunk. */
  private static final int WINDOWS = KernelText.CHUNK / WINDOW;

  /** Multiplier that moves the lowest bit of each byte to the highest byte. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private static final int KEY_OF_WINDOW = WINDOW * KEY_SHIFT;

  private AsciiWindows() {}

  /**
   * Returns the bytes of a chunk at which words of these letters begin, the first in the lowest
   * bit.
   */
  static int starts(KernelText text, long chunk) {
    long first = chunk * WINDOWS;
    int letters = 0;
    for (int i = 0; i < WINDOWS; i++) {
      long window = text.eight(first + i);
      letters |= gathered(letters(window, window & NUMBERS)) << (i << 3);
    }
    int before = 0;
    if (chunk > 0) {
      before = letter(text.bytes().getUnsigned(first * WINDOW - 1));
    }
    return letters & ~(letters << 1 | before);
  }

  /**
   * Returns the bytes of a chunk in which two bits, by number, are set, the first byte in the
   * lowest bit.
   */
  static int marked(KernelText text, long chunk, int bit, int other) {
    long first = chunk * WINDOWS;
    int marked = 0;
    for (int i = 0; i < WINDOWS; i++) {
      long window = text.eight(first + i);
      marked |= gathered((window >> bit) & (window >> other) & ONES) << (i << 3);
    }
    return marked;
  }

  /** Returns the lowest bits of the bytes of a window, side by side. */
  private static int gathered(long marks) {
    return (int) Unsigned.shiftRight(marks * GATHER, Long.SIZE - WINDOW);
  }

  /** Returns 1 if a byte is a letter, otherwise 0. */
  private static int letter(int unsignedByte) {
    int number = unsignedByte & LAST_NUMBER;
    int letter = ((number + LAST_NUMBER) & ~(number + LAST_NUMBER - LETTERS)) >> KEY_SHIFT;
    return letter & (unsignedByte >> 6) & ~(unsignedByte >> 7);
  }

  /**
   * Returns the key of the ASCII letters from {@code at} on; negative if they are too many for a
   * key, 0 if there are none.
   *
   * @param open {@link #ONES} if the key must be negative before a byte outside ASCII, otherwise 0
   */
  static long keyAt(KernelText text, long at, long open) {
    long index = at >> 3;
    int shift = ((int) at & 7) << 3;
    long next = text.eight(index + 1);
    long window = window(text.eight(index), next, shift);
    long numbers = window & NUMBERS;
    long ends = letters(window, numbers) ^ ONES;
    long key = numbers & before(ends);
    if (ends == 0) {
      window = window(next, text.eight(index + 2), shift);
      numbers = window & NUMBERS;
      ends = letters(window, numbers) ^ ONES;
      key = longKey(key, numbers & before(ends));
    }
    return key | (-(ends & -ends & (window >> 7) & open) & Long.MIN_VALUE);
  }

  /** Returns the number of ASCII letters from {@code at} on, up to 16. */
  static long lengthAt(KernelText text, long at) {
    long index = at >> 3;
    int shift = ((int) at & 7) << 3;
    long next = text.eight(index + 1);
    long window = window(text.eight(index), next, shift);
    long length = bytes(before(letters(window, window & NUMBERS) ^ ONES));
    if (length == WINDOW) {
      window = window(next, text.eight(index + 2), shift);
      length += bytes(before(letters(window, window & NUMBERS) ^ ONES));
    }
    return length;
  }

  /** Returns the eight bytes that begin some bits after the start of the first of two windows. */
  static long window(long here, long next, int shift) {
    return Unsigned.shiftRight(here, shift) | ((next << 1) << (63 - shift));
  }

  /**
   * Returns the lowest bit of each byte that is a letter: from 64 to 127, with last five bits from
   * 1 to 26.
   */
  static long letters(long window, long numbers) {
    long fromA = numbers + ONES * 0x7f;
    long aboveZ = numbers + ONES * (0x7f - 26);
    return Unsigned.shiftRight(fromA & ~aboveZ & (window << 1) & ~window, 7) & ONES;
  }

  /** Returns all bits before the first one that is set in {@code marks}. */
  static long before(long marks) {
    return (marks - 1) & ~marks;
  }

  /** Returns the number of bytes in a mask that ends at the first bit of a byte. */
  static long bytes(long mask) {
    return Unsigned.shiftRight((mask & ONES) * ONES, 56);
  }

  /**
   * Returns the key of a word that fills its first window: packed, with space for four letters of
   * the second. If there are more, it is negative, which is the key of no word in a cache.
   */
  static long longKey(long first, long second) {
    long tooMany = -Unsigned.shiftRight(second, WINDOW / 2 * BYTE_SHIFT);
    return WordKey.PACKED
        | pack(first)
        | (pack(second) << KEY_OF_WINDOW)
        | (tooMany & Long.MIN_VALUE);
  }

  /** Returns the numbers of letters, of five bits each, side by side. */
  static long pack(long numbers) {
    long pairs = (numbers & 0x001f_001f_001f_001fL) | ((numbers & 0x1f00_1f00_1f00_1f00L) >> 3);
    long fours = (pairs & 0x0000_03ff_0000_03ffL) | ((pairs & 0x03ff_0000_03ff_0000L) >> 6);
    return (fours & 0xf_ffffL) | ((fours & 0x000f_ffff_0000_0000L) >> 12);
  }
}
