package dev.gyre.datasets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Channel that unpacks gzip (<a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>), with
 * all its members, and checks each checksum and length. Not thread-safe.
 *
 * <p>{@link java.util.zip.GZIPInputStream} is not used because it treats a truncated member header,
 * and other bytes after a member, as the end of the text. Words would be missing without an error.
 * Zeros at the end are padding, as for {@code gzip}.
 */
final class GzipChannel implements ReadableByteChannel {

  private static final int INPUT_BYTES = 1 << 16;
  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int HAS_HEADER_CHECKSUM = 1 << 1;
  private static final int HAS_EXTRA = 1 << 2;
  private static final int HAS_NAME = 1 << 3;
  private static final int HAS_COMMENT = 1 << 4;
  private static final int RESERVED_FLAGS = 0xe0;

  /** Time, compression level and system. */
  private static final int IGNORED_BYTES = 6;

  private final ReadableByteChannel packed;
  private final ByteBuffer input = ByteBuffer.allocate(INPUT_BYTES).limit(0);
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private boolean inMember;
  private boolean ended;

  GzipChannel(ReadableByteChannel packed) {
    this.packed = packed;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    if (!to.hasRemaining()) {
      return 0;
    }
    int count = 0;
    while (count == 0 && (inMember || begin())) {
      count = inflate(to);
      if (inflater.finished()) {
        end();
      }
    }
    return count > 0 ? count : -1;
  }

  private int inflate(ByteBuffer to) throws IOException {
    int from = to.position();
    try {
      if (inflater.needsInput()) {
        require(input.hasRemaining() || fill());
        inflater.setInput(input);
      }
      int count = inflater.inflate(to);
      if (inflater.needsDictionary()) {
        throw corrupted("it needs a dictionary");
      }
      checksum.update(to.slice(from, count));
      return count;
    } catch (DataFormatException e) {
      throw (IOException) corrupted(String.valueOf(e.getMessage())).initCause(e);
    }
  }

  /** Begins the next member; returns whether there is one. */
  private boolean begin() throws IOException {
    if (ended || !skipPadding()) {
      ended = true;
      return false;
    }
    if (number(Short.BYTES) != MAGIC) {
      throw corrupted("there are bytes after its end");
    }
    if (number(1) != DEFLATE) {
      throw corrupted("its method of compression is unknown");
    }
    int flags = (int) number(1);
    if ((flags & RESERVED_FLAGS) != 0) {
      throw corrupted("its header has unknown flags");
    }
    skip(IGNORED_BYTES);
    if ((flags & HAS_EXTRA) != 0) {
      skip(number(Short.BYTES));
    }
    for (int text = flags & (HAS_NAME | HAS_COMMENT); text != 0; text &= text - 1) {
      while (number(1) != 0) {
        // Up to and including the final zero.
      }
    }
    if ((flags & HAS_HEADER_CHECKSUM) != 0) {
      skip(Short.BYTES);
    }
    inflater.reset();
    checksum.reset();
    inMember = true;
    return true;
  }

  /** Skips zeros between members or after the last; returns whether anything follows. */
  private boolean skipPadding() throws IOException {
    while (input.hasRemaining() || fill()) {
      if (input.get(input.position()) != 0) {
        return true;
      }
      input.get();
    }
    return false;
  }

  private void end() throws IOException {
    inMember = false;
    if (number(Integer.BYTES) != checksum.getValue()) {
      throw corrupted("its checksum does not match");
    }
    if (number(Integer.BYTES) != (inflater.getBytesWritten() & 0xffff_ffffL)) {
      throw corrupted("its length does not match");
    }
  }

  private long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      require(input.hasRemaining() || fill());
      number |= (input.get() & 0xffL) << (i * Byte.SIZE);
    }
    return number;
  }

  private void skip(long bytes) throws IOException {
    for (long i = 0; i < bytes; i++) {
      var _ = number(1);
    }
  }

  /** Reads more packed bytes; returns whether there are more. */
  private boolean fill() throws IOException {
    input.clear();
    int count = 0;
    while (count == 0) {
      count = packed.read(input);
    }
    input.flip();
    return count > 0;
  }

  private static void require(boolean more) throws UnreadableTextException {
    if (!more) {
      throw new UnreadableTextException("truncated gzip: it ends before its text does");
    }
  }

  private static UnreadableTextException corrupted(String why) {
    return new UnreadableTextException("corrupted gzip: " + why);
  }

  @Override
  public boolean isOpen() {
    return packed.isOpen();
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    packed.close();
  }
}
