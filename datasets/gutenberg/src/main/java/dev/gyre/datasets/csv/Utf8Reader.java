package dev.gyre.datasets.csv;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Reader of UTF-8, without a leading byte-order mark, which reports the line of invalid bytes after
 * the text before them.
 */
final class Utf8Reader extends Reader {

  /** Thrown for invalid UTF-8. */
  static final class BadTextException extends CharacterCodingException {
    @Serial private static final long serialVersionUID = 1L;

    private final long line;

    BadTextException(long line) {
      this.line = line;
    }

    /** Returns the line of the bytes, from 1. */
    long line() {
      return line;
    }
  }

  private static final int BUFFER = 1 << 16;
  private static final char BYTE_ORDER_MARK = 0xfeff;

  private final InputStream in;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).limit(0);
  private final CharBuffer chars = CharBuffer.allocate(BUFFER).limit(0);
  private long line = 1;
  private boolean begun;
  private boolean ended;

  Utf8Reader(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(char[] to, int from, int most) throws IOException {
    while (!chars.hasRemaining()) {
      if (!decode() && !fill()) {
        return -1;
      }
    }
    int count = Math.min(most, chars.remaining());
    chars.get(to, from, count);
    return count;
  }

  /** Decodes what was read; returns whether there were characters. */
  private boolean decode() throws BadTextException {
    chars.clear();
    CoderResult result = decoder.decode(bytes, chars, ended);
    chars.flip();
    boolean any = chars.hasRemaining();
    if (!any && result.isError()) {
      throw new BadTextException(line);
    }
    if (any && !begun) {
      begun = true;
      chars.position(chars.get(0) == BYTE_ORDER_MARK ? 1 : 0);
    }
    for (int i = 0; i < chars.limit(); i++) {
      line += chars.get(i) == '\n' ? 1 : 0;
    }
    return any;
  }

  /** Reads more; returns whether there may be more. */
  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    bytes.compact();
    int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
    ended = count < 0;
    bytes.position(bytes.position() + Math.max(0, count)).flip();
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
