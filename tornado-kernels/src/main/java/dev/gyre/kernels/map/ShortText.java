package dev.gyre.kernels.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A text of up to {@value #MOST} bytes as two words, the first byte lowest, filled up with zeros;
 * for the host, which looks it up.
 *
 * <p>From four bytes on there is no branch on the length: it comes with the text, and while the
 * processor waits for that it would go on along the wrong one every other time, rather than with
 * the next texts. So halves of words are read, some bytes in two of them.
 */
public final class ShortText {

  /** Bytes of the longest one. */
  public static final int MOST = 2 * Long.BYTES;

  /** In place of a word: some of its characters are not ASCII. All such are negative. */
  public static final long NONE = -1;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HALF = Integer.BYTES;
  private static final long LOWER = 0xffff_ffffL;
  private static final int FIRST_BEYOND_ASCII = 0x80;

  /** The bits of a half that ASCII has not; its upper half, which has one more for all others. */
  private static final long BEYOND_ASCII = ~0x7f7f_7f7fL;

  private ShortText() {}

  /** The first word of a string, or {@link #NONE}. */
  public static long first(String text, int length) {
    if (length < HALF) {
      return few(text, length);
    }
    int end = Math.min(length, Long.BYTES) - HALF;
    long low = half(text, 0);
    long high = half(text, end);
    return ascii(low | (high << (Byte.SIZE * end)), low | high);
  }

  /** The second word of a string, or {@link #NONE}; 0 where there is none. */
  public static long second(String text, int length) {
    if (length < HALF) {
      return 0;
    }
    long low = half(text, Math.max(length - Long.BYTES, 0));
    long high = half(text, length - HALF);
    return ascii(last(low, high, length), low | high);
  }

  /** The first word of bytes. */
  public static long first(byte[] text, int length) {
    if (length < HALF) {
      return few(text, length);
    }
    int end = Math.min(length, Long.BYTES) - HALF;
    return half(text, 0) | (half(text, end) << (Byte.SIZE * end));
  }

  /** The second word of bytes; 0 where there is none. */
  public static long second(byte[] text, int length) {
    if (length < HALF) {
      return 0;
    }
    return last(half(text, Math.max(length - Long.BYTES, 0)), half(text, length - HALF), length);
  }

  /** Of the last eight bytes, those of the second word; all are shifted out where there is none. */
  private static long last(long low, long high, int length) {
    int half = (MOST - length) * (Byte.SIZE / 2);
    return (low | (high << Integer.SIZE)) >>> half >>> half;
  }

  /** A word, or {@link #NONE} where a half that it was made of has more than ASCII. */
  private static long ascii(long word, long halves) {
    return (halves & BEYOND_ASCII) == 0 ? word : NONE;
  }

  /**
   * Four characters; one bit is beyond ASCII if one of them is. Where characters are known to be
   * bytes, as HotSpot knows them in a string without others, all that looks for more is gone.
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

  /** Of one to three bytes, the first, the middle and the last one. */
  private static long few(long first, long middle, long last, int length) {
    return first | (middle << (Byte.SIZE * (length >> 1))) | (last << (Byte.SIZE * (length - 1)));
  }
}
