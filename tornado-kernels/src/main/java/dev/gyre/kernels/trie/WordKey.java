package dev.gyre.kernels.trie;

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

  /**
   * The key of the first bytes of a text; {@link #NONE} if there are none, or they are not all
   * letters of ASCII.
   *
   * @param length up to {@value #LETTERS}
   */
  public static long of(byte[] text, int length) {
    long first;
    long second = 0;
    if (length >= AsciiWindows.WINDOW) {
      first = TextBlocks.window(text, 0);
      // By 64 bits in all where there is nothing in it: one shift would be by none.
      int rest = length - AsciiWindows.WINDOW;
      second = TextBlocks.window(text, rest) >>> Byte.SIZE >>> (Long.SIZE - (rest + 1) * Byte.SIZE);
    } else {
      first = few(text, length);
    }
    return of(first, second, length);
  }

  /** As {@link #of(byte[], int)}, of the first characters of a text. */
  public static long of(String text, int length) {
    int most = Math.min(length, AsciiWindows.WINDOW);
    long first = characters(text, 0, most);
    long second = characters(text, AsciiWindows.WINDOW, length);
    // Negative where one is none of ASCII.
    return (first | second) >= 0 ? of(first, second, length) : NONE;
  }

  /** Up to eight characters of a text, one in each byte; negative if one is none of ASCII. */
  private static long characters(String text, int begin, int end) {
    long characters = 0;
    int any = 0;
    for (int at = begin; at < end; at++) {
      char next = text.charAt(at);
      any |= next;
      characters |= (long) next << (at * Byte.SIZE);
    }
    return any <= Byte.MAX_VALUE ? characters : -1;
  }

  private static long of(long first, long second, int length) {
    long numbers = first & AsciiWindows.NUMBERS;
    long others = second & AsciiWindows.NUMBERS;
    int letters =
        Long.bitCount(AsciiWindows.letters(first, numbers))
            + Long.bitCount(AsciiWindows.letters(second, others));
    return letters == length ? AsciiWindows.longKey(numbers, others) & ~PACKED : NONE;
  }

  /** The bytes of a text of less than a window. */
  private static long few(byte[] text, int length) {
    long few = 0;
    if (length >= Integer.BYTES) {
      int rest = length - Integer.BYTES;
      few = TextBlocks.half(text, 0) | (TextBlocks.half(text, rest) << (rest * Byte.SIZE));
    } else {
      for (int at = 0; at < length; at++) {
        few |= (text[at] & 0xffL) << (at * Byte.SIZE);
      }
    }
    return few;
  }
}
