package dev.gyre.kernels.trie;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Blocks of text on the JVM: classifies {@value #SIZE} bytes as bits of a long, the first byte the
 * lowest, and computes the keys of their words. On devices, see {@link AsciiWindows}.
 */
final class TextBlocks {

  /** Size of a block, in bytes. */
  static final int SIZE = Long.SIZE;

  private static final VarHandle WINDOW =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = AsciiWindows.ONES << 7;

  /** The first byte of U+2000 to U+203F in UTF-8; the second is 0x80. */
  private static final long FIRST_BYTES = 0xe2e2_e2e2_e2e2_e2e2L;

  /** Multiplier that moves the highest bit of each byte to the highest byte. */
  private static final long GATHER = 0x0002_0408_1020_4081L;

  private static final int LONGEST_KEY = WordKey.KEY_BITS / AsciiWindows.KEY_SHIFT;

  private TextBlocks() {}

  /** Returns the key of a word of ASCII letters that ends before the last window. */
  private static long key(byte[] text, int begin, int size) {
    long first = window(text, begin) & AsciiWindows.NUMBERS;
    if (size < AsciiWindows.WINDOW) {
      return first & ~(-1L << (size << 3));
    }
    if (size > LONGEST_KEY) {
      return WorkerCache.NO_KEY;
    }
    long second = window(text, begin + AsciiWindows.WINDOW) & AsciiWindows.NUMBERS;
    return AsciiWindows.longKey(first, second & ~(-1L << (size << 3)));
  }

  /** Returns eight bytes of a text, the first in the lowest bits. */
  static long window(byte[] text, int at) {
    return (long) WINDOW.get(text, at);
  }

  /** Returns the bytes of a block that are ASCII letters, the first in the lowest bit. */
  static long letters(byte[] text, int at) {
    long letters = 0;
    for (int i = 0; i < SIZE; i += AsciiWindows.WINDOW) {
      long window = window(text, at + i);
      long numbers = window & AsciiWindows.NUMBERS;
      long fromA = numbers + AsciiWindows.ONES * 0x7f;
      long aboveZ = numbers + AsciiWindows.ONES * (0x7f - 26);
      letters |= gathered(fromA & ~aboveZ & (window << 1) & ~window) << i;
    }
    return letters;
  }

  /**
   * Returns the bytes of a block that may belong to letters outside ASCII, the first in the lowest
   * bit.
   *
   * <p>These are all bytes outside ASCII, except the quotes, dashes and spaces from U+2000 to
   * U+203F, which always separate words.
   */
  static long beyondAscii(byte[] text, int at) {
    long any = 0;
    for (int i = 0; i < SIZE; i += AsciiWindows.WINDOW) {
      any |= window(text, at + i);
    }
    return (any & HIGH_BITS) == 0 ? 0 : beyondPunctuation(text, at);
  }

  private static long beyondPunctuation(byte[] text, int at) {
    long beyond = 0;
    long goesOn = 0;
    long punctuation = 0;
    for (int i = 0; i < SIZE; i += AsciiWindows.WINDOW) {
      long window = window(text, at + i);
      long next = window(text, at + i + 1);
      beyond |= gathered(window) << i;
      goesOn |= gathered(window & ~(window << 1)) << i;
      punctuation |= gathered(zeros(window ^ FIRST_BYTES) & zeros(next ^ HIGH_BITS)) << i;
    }
    // Two bytes that can be nothing else, and the third if present.
    return beyond & ~(punctuation | (punctuation << 1) | ((punctuation << 2) & goesOn));
  }

  /** Returns the highest bit of each byte that is 0. */
  private static long zeros(long window) {
    return ~(((window & ~HIGH_BITS) + ~HIGH_BITS) | window) & HIGH_BITS;
  }

  /** Returns the highest bits of the bytes of a window, side by side. */
  private static long gathered(long window) {
    return ((window & HIGH_BITS) * GATHER) >>> (Long.SIZE - AsciiWindows.WINDOW);
  }

  /** Computes the keys of the words of a block that begin at some bits; returns their number. */
  static int keys(byte[] text, long[] found, int at, long letters, long starts) {
    int words = Long.bitCount(starts);
    long left = starts;
    for (int i = 0; i < words; i++) {
      int start = Long.numberOfTrailingZeros(left);
      found[i] = key(text, at + start, Long.numberOfTrailingZeros(~(letters >>> start)));
      left &= left - 1;
    }
    return words;
  }

  /** Returns the number of a set bit, by the number of set bits before it. */
  static int bit(long bits, int before) {
    long left = bits;
    for (int i = 0; i < before; i++) {
      left &= left - 1;
    }
    return Long.numberOfTrailingZeros(left);
  }

  /** Returns the beginning of the letters before a bit. */
  static int wordBefore(long letters, int end) {
    return end == 0 ? 0 : end - Long.numberOfLeadingZeros(~(letters << (SIZE - end)));
  }

  /** Returns the end of the word around a bit; otherwise the bit. */
  static int endOf(long letters, int at) {
    boolean inside = at > 0 && ((letters >>> (at - 1)) & 1) != 0;
    return inside ? at + Long.numberOfTrailingZeros(~(letters >>> at)) : at;
  }
}
