package dev.gyre.structures;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.ShortText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Converts keys between bytes and words; see {@link dev.gyre.kernels.map.TextLayout}. */
@Internal
public final class TextBytes {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGHEST_BITS = LOWEST_BITS << 7;
  private static final long QUESTION_MARKS = '?' * LOWEST_BITS;

  private TextBytes() {}

  /**
   * Returns the UTF-8 of a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair
   */
  public static byte[] of(String key) {
    byte[] bytes = orNull(key);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "half of a surrogate pair at " + halfPair(key) + " of a key");
    }
    return bytes;
  }

  /** Returns the UTF-8 of a string; null if it contains half of a surrogate pair. */
  public static byte @Nullable [] orNull(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    // A half is encoded as a question mark.
    return hasQuestionMark(bytes) && halfPair(key) >= 0 ? null : bytes;
  }

  private static boolean hasQuestionMark(byte[] bytes) {
    int last = bytes.length - Long.BYTES;
    long found = questionMarks(ShortText.lastWord(bytes, Math.max(last, 0), bytes.length));
    for (int at = 0; at < last; at += Long.BYTES) {
      found |= questionMarks(ShortText.word(bytes, at));
    }
    return (found & HIGHEST_BITS) != 0;
  }

  /** Returns a word in which bit 7 of some byte is set if and only if it has a question mark. */
  private static long questionMarks(long word) {
    long others = word ^ QUESTION_MARKS;
    // As in "Hacker's Delight", chapter 6: exact up to the lowest question mark.
    return (others - LOWEST_BITS) & ~others;
  }

  /** Returns the index of the first half of a surrogate pair without the other half, or -1. */
  private static int halfPair(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < key.length()
                && Character.isLowSurrogate(key.charAt(i + 1));
        if (!paired) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /** Returns a word of a key, filled up with zeros. */
  public static long word(MemorySegment bytes, int word) {
    long at = (long) word * Long.BYTES;
    if (at + Long.BYTES <= bytes.byteSize()) {
      return bytes.get(WORD, at);
    }
    long last = 0;
    for (long i = bytes.byteSize() - 1; i >= at; i--) {
      last = (last << Byte.SIZE) | (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff);
    }
    return last;
  }

  /** Returns the bytes of a key that begins at a word. */
  public static byte[] bytes(DeviceLongs words, long start, int length) {
    byte[] bytes = new byte[length];
    MemorySegment to = MemorySegment.ofArray(bytes);
    int whole = length / Long.BYTES;
    for (int word = 0; word < whole; word++) {
      to.set(WORD, (long) word * Long.BYTES, words.get(start + word));
    }
    for (int i = whole * Long.BYTES; i < length; i++) {
      bytes[i] = (byte) (words.get(start + whole) >> (Byte.SIZE * (i % Long.BYTES)));
    }
    return bytes;
  }
}
