package dev.gyre.kernels.trie;

import java.util.Arrays;

/** Converts between letters and UTF-8 on the host; on devices, see {@link UnicodeText}. */
final class Utf8 {

  private static final int CONTINUATION = 0x80;
  private static final int SIX_BITS = 0x3f;

  /** Smallest code point for each number of bytes; a smaller one is overlong. */
  private static final int[] LEAST = {0, 0, 0x80, 0x800, 0x1_0000};

  private Utf8() {}

  /** Returns the {@link Letter} that begins at a byte of a text, with its bytes. */
  static long letterAt(byte[] text, int at) {
    int size = size(text[at] & 0xff);
    int code = size == 1 ? text[at] : (text[at] & 0xff) & (0xff >> (size + 1));
    boolean formed = size > 0 && at + size <= text.length;
    for (int i = 1; formed && i < size; i++) {
      formed = (text[at + i] & ~SIX_BITS) == (byte) CONTINUATION;
      code = code << 6 | (text[at + i] & SIX_BITS);
    }
    formed = formed && code >= LEAST[size] && code <= Character.MAX_CODE_POINT;
    return formed ? (long) size << Integer.SIZE | UnicodeTable.letterOf(code) : 1L << Integer.SIZE;
  }

  /** Returns the bytes of the code point that begins with a byte; 0 if none does. */
  private static int size(int first) {
    if (first < CONTINUATION) {
      return 1;
    }
    if (first < 0xc0 || first >= 0xf8) {
      return 0;
    }
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  }

  /** Returns the bytes of some steps, without an incomplete letter at their end. */
  static byte[] bytesOf(byte[] steps) {
    // No letter has more bytes than steps.
    byte[] bytes = new byte[steps.length];
    int size = 0;
    int at = 0;
    while (at < steps.length) {
      int length = UnicodeTable.length(steps[at]);
      if (at + length <= steps.length) {
        size = write(UnicodeTable.codePoint(steps, at), bytes, size);
      }
      at += length;
    }
    return Arrays.copyOf(bytes, size);
  }

  private static int write(int code, byte[] bytes, int at) {
    int next = at;
    if (code < CONTINUATION) {
      bytes[next++] = (byte) code;
    } else if (code < LEAST[3]) {
      bytes[next++] = (byte) (0xc0 | code >> 6);
      bytes[next++] = continuation(code);
    } else if (code < LEAST[4]) {
      bytes[next++] = (byte) (0xe0 | code >> 12);
      bytes[next++] = continuation(code >> 6);
      bytes[next++] = continuation(code);
    } else {
      bytes[next++] = (byte) (0xf0 | code >> 18);
      bytes[next++] = continuation(code >> 12);
      bytes[next++] = continuation(code >> 6);
      bytes[next++] = continuation(code);
    }
    return next;
  }

  private static byte continuation(int code) {
    return (byte) (CONTINUATION | (code & SIX_BITS));
  }
}
