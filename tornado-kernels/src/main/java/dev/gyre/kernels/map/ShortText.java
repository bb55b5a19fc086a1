package dev.gyre.kernels.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Text of up to {@value #MOST} bytes as two words, the first byte lowest, filled up with zeros. For
 * lookups by the host.
 *
 * <p>From four bytes on there is no branch on the length. The length is loaded with the text, and a
 * misprediction would delay the processor every other time. Therefore halves of words are read,
 * some bytes in two of them.
 *
 * @since 0.1.0
 */
public final class ShortText {

  /** Longest text, in bytes. */
  public static final int MOST = 2 * Long.BYTES;

  /** Result for a word with characters outside ASCII. All such results are negative. */
  public static final long NONE = -1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HALF = Integer.BYTES;
  private static final long LOWER = 0xffff_ffffL;
  private static final int FIRST_BEYOND_ASCII = 0x80;

  /** Bits of a half that ASCII does not have; for the upper half, one more. */
  private static final long BEYOND_ASCII = ~0x7f7f_7f7fL;

  private ShortText() {}

  /** Returns the first word of a string, or {@link #NONE}. */
  public static long first(String text, int length) {
    if (length < HALF) {
      return few(text, length);
    }
    int end = Math.min(length, Long.BYTES) - HALF;
    long low = half(text, 0);
    long high = half(text, end);
    return ascii(low | (high << (Byte.SIZE * end)), low | high);
  }

  /** Returns the second word of a string, or {@link #NONE}; 0 for a short string. */
  public static long second(String text, int length) {
    if (length < HALF) {
      return 0;
    }
    long low = half(text, Math.max(length - Long.BYTES, 0));
    long high = half(text, length - HALF);
    return ascii(last(low, high, length), low | high);
  }

  /** Returns the first word of bytes. */
  public static long first(byte[] text, int length) {
    if (length < HALF) {
      return few(text, length);
    }
    int end = Math.min(length, Long.BYTES) - HALF;
    return half(text, 0) | (half(text, end) << (Byte.SIZE * end));
  }

  /** Returns the second word of bytes; 0 for few bytes. */
  public static long second(byte[] text, int length) {
    if (length < HALF) {
      return 0;
    }
    return last(half(text, Math.max(length - Long.BYTES, 0)), half(text, length - HALF), length);
  }

  /**
   * Returns a word of the first bytes of an array, which may be longer than other texts here.
   *
   * @param length number of bytes of the text
   */
  public static long word(byte[] text, int length, int index) {
    int from = index * Long.BYTES;
    return length - from >= Long.BYTES ? word(text, from) : lastWord(text, from, length);
  }

  /** Returns the 8 bytes from {@code at} on. */
  public static long word(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /**
   * Returns the last word of a key from {@code from} to {@code to - 1}, filled up with zeros. A
   * loop is avoided, because its end would be mispredicted.
   */
  public static long lastWord(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length <= 0) {
      return 0;
    }
    if (to >= Long.BYTES) {
      return word(bytes, to - Long.BYTES) >>> (Long.SIZE - Byte.SIZE * length);
    }
    if (length >= HALF) {
      return half(bytes, from) | (half(bytes, to - HALF) << (Byte.SIZE * (length - HALF)));
    }
    int middle = bytes[from + (length >> 1)] & 0xff;
    return few(bytes[from] & 0xff, middle, bytes[to - 1] & 0xff, length);
  }

  /**
   * Returns the bytes of the second word among the last eight bytes; none if there is no second
   * word.
   */
  private static long last(long low, long high, int length) {
    int half = (MOST - length) * (Byte.SIZE / 2);
    return (low | (high << Integer.SIZE)) >>> half >>> half;
  }

  /** Returns a word, or {@link #NONE} if one of its halves has characters outside ASCII. */
  private static long ascii(long word, long halves) {
    return (halves & BEYOND_ASCII) == 0 ? word : NONE;
  }

  /**
   * Returns four characters; a bit outside ASCII is set if one of them is. If HotSpot knows that a
   * string has only bytes, it removes the code for others.
   */
  private static long half(String text, int from) {
    char a = text.charAt(from);
    char b = text.charAt(from + 1);
    char c = text.charAt(from + 2);
    char d = text.charAt(from + 3);
    long more = (a >> Byte.SIZE) | (b >> Byte.SIZE) | (c >> Byte.SIZE) | (d >> Byte.SIZE);
    return a | (b << 8) | (c << 16) | ((long) d << 24) | -more;
  }

  private static long half(byte[] text, int from) {
    return (int) INTS.get(text, from) & LOWER;
  }

  private static long few(String text, int length) {
    if (length == 0) {
      return 0;
    }
    long a = text.charAt(0);
    long b = text.charAt(length >> 1);
    long c = text.charAt(length - 1);
    return (a | b | c) < FIRST_BEYOND_ASCII ? few(a, b, c, length) : NONE;
  }

  private static long few(byte[] text, int length) {
    return length == 0
        ? 0
        : few(text[0] & 0xff, text[length >> 1] & 0xff, text[length - 1] & 0xff, length);
  }

  /** Returns the word of one to three bytes: the first, the middle and the last one. */
  private static long few(long first, long middle, long last, int length) {
    return first | (middle << (Byte.SIZE * (length >> 1))) | (last << (Byte.SIZE * (length - 1)));
  }
}
