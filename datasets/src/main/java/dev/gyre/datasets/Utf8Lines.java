package dev.gyre.datasets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Finds the line at which a file stops being UTF-8, for messages. */
final class Utf8Lines {

  private static final int BUFFER = 1 << 16;

  private Utf8Lines() {}

  /** The line of the first bytes that are no UTF-8, from 1; the last line if there are none. */
  static long firstBad(Path file) throws IOException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
    CharBuffer chars = CharBuffer.allocate(BUFFER);
    long line = 1;
    try (FileChannel channel = FileChannel.open(file)) {
      boolean more = true;
      while (more) {
        boolean ended = channel.read(bytes) < 0;
        bytes.flip();
        chars.clear();
        CoderResult result = decoder.decode(bytes, chars, ended);
        line += newlines(bytes);
        more = !result.isError() && !ended;
        bytes.compact();
      }
    }
    return line;
  }

  /** Counts the line ends in what was decoded. */
  private static long newlines(ByteBuffer decoded) {
    long count = 0;
    for (int i = 0; i < decoded.position(); i++) {
      count += decoded.get(i) == '\n' ? 1 : 0;
    }
    return count;
  }
}
