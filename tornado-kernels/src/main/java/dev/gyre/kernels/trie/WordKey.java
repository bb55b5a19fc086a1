package dev.gyre.kernels.trie;

import dev.gyre.kernels.map.ShortText;

/**
 * Computes the key of a whole word: the numbers of its letters side by side, {@link
 * Letter#STEP_BITS} bits each, the first in the lowest bits. For the host.
 *
 * @since 0.1.0
 */
public final class WordKey {

  /** Stands for no key. */
  public static final long NONE = 0;

  /**
   * Bit of a key whose letters are side by side. Letters of other keys take {@link #BYTE_SHIFT}
   * bits.
   */
  static final long PACKED = 1L << 62;

  /** Number of bits for the letters of a key. */
  static final int KEY_BITS = 62;

  /** Bits of a letter in a key that is not {@link #PACKED}. */
  static final int BYTE_SHIFT = 8;

  /** Number of letters of the longest key. */
  public static final int LETTERS = KEY_BITS / AsciiWindows.KEY_SHIFT;

  private WordKey() {}

  /** Returns the bits of each letter of a key. */
  static int shift(long key) {
    return (key & PACKED) != 0 ? Letter.STEP_BITS : BYTE_SHIFT;
  }

  /**
   * Returns the key of the first bytes of a text; {@link #NONE} if there are none, or not all are
   * ASCII letters.
   *
   * @param length up to {@value #LETTERS}
   */
  public static long of(byte[] text, int length) {
    return of(ShortText.first(text, length), ShortText.second(text, length), length);
  }

  /** Returns the key of the first characters of a text, as {@link #of(byte[], int)}. */
  public static long of(String text, int length) {
    long first = ShortText.first(text, length);
    long second = ShortText.second(text, length);
    // Negative if one is outside ASCII.
    return (first | second) >= 0 ? of(first, second, length) : NONE;
  }

  private static long of(long first, long second, int length) {
    long numbers = first & AsciiWindows.NUMBERS;
    long others = second & AsciiWindows.NUMBERS;
    int letters =
        Long.bitCount(AsciiWindows.letters(first, numbers))
            + Long.bitCount(AsciiWindows.letters(second, others));
    return letters == length ? AsciiWindows.longKey(numbers, others) & ~PACKED : NONE;
  }
}
