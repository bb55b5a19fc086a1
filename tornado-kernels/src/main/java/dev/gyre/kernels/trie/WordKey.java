package dev.gyre.kernels.trie;

import dev.gyre.kernels.map.ShortText;

/**
 * The key of a word that is given as a whole: its letters' numbers side by side, {@link
 * Letter#STEP_BITS} bits each, the first in the lowest bits. For the host.
 */
public final class WordKey {

  /** Stands for the key of what has none. */
  public static final long NONE = 0;

  /** Set in a key whose letters are side by side. Those of other keys take {@link #BYTE_SHIFT}. */
  static final long PACKED = 1L << 62;

  /** Bits that the letters of a key may take. */
  static final int KEY_BITS = 62;

  /** Bits of a letter in a key that is not {@link #PACKED}. */
  static final int BYTE_SHIFT = 8;

  /** Letters of the longest key. */
  public static final int LETTERS = KEY_BITS / AsciiWindows.KEY_SHIFT;

  private WordKey() {}

  /** Bits that each letter of a key takes. */
  static int shift(long key) {
    return (key & PACKED) != 0 ? Letter.STEP_BITS : BYTE_SHIFT;
  }

  /**
   * The key of the first bytes of a text; {@link #NONE} if there are none, or they are not all
   * letters of ASCII.
   *
   * @param length up to {@value #LETTERS}
   */
  public static long of(byte[] text, int length) {
    return of(ShortText.first(text, length), ShortText.second(text, length), length);
  }

  /** As {@link #of(byte[], int)}, of the first characters of a text. */
  public static long of(String text, int length) {
    long first = ShortText.first(text, length);
    long second = ShortText.second(text, length);
    // Negative where one is none of ASCII.
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
