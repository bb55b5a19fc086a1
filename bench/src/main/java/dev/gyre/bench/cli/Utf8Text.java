package dev.gyre.bench.cli;

/** Reads code points of UTF-8. */
final class Utf8Text {

  /** A byte that is no part of a well-formed code point. */
  static final int MALFORMED = -1;

  private Utf8Text() {}

  /** The code point that begins at a byte of a text, or {@link #MALFORMED}. */
  static int codeAt(byte[] text, int at, int to) {
    int first = text[at];
    if (first >= 0) {
      return first;
    }
    // As many leading ones as there are bytes.
    int bytes = Integer.numberOfLeadingZeros(~first << (Integer.SIZE - Byte.SIZE));
    if (bytes < 2 || bytes > 4 || at + bytes > to) {
      return MALFORMED;
    }
    int code = first & (0x7f >> bytes);
    for (int i = 1; i < bytes; i++) {
      int next = text[at + i];
      if ((next & 0xc0) != 0x80) {
        return MALFORMED;
      }
      code = code << 6 | (next & 0x3f);
    }
    boolean wellFormed =
        bytesOf(code) == bytes
            && code <= Character.MAX_CODE_POINT
            && (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE);
    return wellFormed ? code : MALFORMED;
  }

  /** How many bytes a code point takes; 1 of what is malformed. */
  static int bytesOf(int code) {
    if (code < 0x80) {
      return 1;
    }
    if (code < 0x800) {
      return 2;
    }
    return code < 0x1_0000 ? 3 : 4;
  }
}
