package dev.gyre.datasets;

import dev.gyre.atomics.Internal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Detects the format of bytes by their first bytes: unpacks gzip, and refuses formats that would be
 * counted as text by mistake.
 *
 * <ul>
 *   <li>gzip, of one or more members, is unpacked, whatever the name of the file.
 *   <li>A zip archive is refused, because it contains several files.
 *   <li>UTF-16 and UTF-32 with a byte-order mark are refused, because Spark and CSV tables read
 *       UTF-8 only. So each file is accepted everywhere or nowhere.
 * </ul>
 *
 * <p>Everything else is passed through unchanged.
 */
@Internal
public final class TextInput {

  private static final int FIRST_BYTES = 4;
  private static final int GZIP = 0x1f8b;

  // Signatures: the first entry of an archive, the end of an empty archive, and a part of a split
  // archive.
  private static final Set<Integer> ZIP = Set.of(0x504b0304, 0x504b0506, 0x504b0708);

  private static final int UTF_16_LITTLE_ENDIAN = 0xfffe;
  private static final int UTF_16_BIG_ENDIAN = 0xfeff;
  private static final int UTF_32_BIG_ENDIAN = 0x0000feff;

  private TextInput() {}

  /**
   * Returns the text of a channel, which is closed with it, or at once if this method throws.
   *
   * @throws IOException if it cannot be read or is refused
   */
  public static ReadableByteChannel of(ReadableByteChannel bytes) throws IOException {
    ReadableByteChannel open = bytes;
    try {
      ByteBuffer first = first(open);
      if (isGzip(first)) {
        open = new GzipChannel(new ResumedChannel(first, bytes));
        first = first(open);
        requireText(first);
      }
      return new ResumedChannel(first, open);
    } catch (IOException | RuntimeException e) {
      try {
        open.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * Returns whether a file is gzip, so that its size is not that of its text.
   *
   * @throws IOException if it cannot be read or is refused
   */
  public static boolean isPacked(Path file) throws IOException {
    // Not a channel: the operation that reads the text must report an interrupt.
    try (InputStream bytes = Files.newInputStream(file)) {
      return isGzip(ByteBuffer.wrap(bytes.readNBytes(FIRST_BYTES)));
    }
  }

  /** Returns the first bytes of a channel; fewer at its end. */
  private static ByteBuffer first(ReadableByteChannel bytes) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(FIRST_BYTES);
    int count = 0;
    while (first.hasRemaining() && count >= 0) {
      count = bytes.read(first);
    }
    return first.flip();
  }

  /** Returns whether bytes begin with gzip; throws if they begin with neither gzip nor text. */
  private static boolean isGzip(ByteBuffer first) throws IOException {
    requireText(first);
    return first.remaining() >= Short.BYTES && twoBytes(first) == GZIP;
  }

  private static int twoBytes(ByteBuffer first) {
    return first.getShort(0) & 0xffff;
  }

  private static void requireText(ByteBuffer first) throws IOException {
    if (first.remaining() < Short.BYTES) {
      return;
    }
    int two = twoBytes(first);
    int four = first.remaining() < Integer.BYTES ? 0 : first.getInt(0);
    if (two == UTF_16_LITTLE_ENDIAN || two == UTF_16_BIG_ENDIAN || four == UTF_32_BIG_ENDIAN) {
      throw new UnreadableTextException(
          "UTF-16 or UTF-32, by its byte-order mark; only UTF-8 is read: convert it, by iconv say");
    }
    if (ZIP.contains(four)) {
      throw new UnreadableTextException("a zip archive; unpack it, and name the files in it");
    }
  }
}
