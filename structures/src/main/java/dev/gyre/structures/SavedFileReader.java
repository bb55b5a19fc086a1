package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.SavedFileException.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads a {@link SavedFile} sequentially into new memory, and computes its checksum on the way.
 *
 * <p>No byte is read twice. If another process changes or truncates the file meanwhile, it is
 * refused and does no harm later.
 */
final class SavedFileReader {

  /** Bytes that are read and summed at a time, which fit in the caches. */
  private static final long PIECE = 1 << 18;

  /** Largest number of sections: even an empty section has a cost. */
  private static final int MOST_SECTIONS = 16;

  /** Size of a stream, which may end after any section. */
  static final long UNKNOWN_BYTES = 1L << 60;

  private final String file;
  private final ReadableByteChannel channel;
  private final CRC32C sum = new CRC32C();
  private final boolean isStream;
  private long left;

  /**
   * Creates a reader at the start of a file.
   *
   * @param file its name, for messages
   * @param bytes its size, or {@link #UNKNOWN_BYTES}
   */
  SavedFileReader(String file, ReadableByteChannel channel, long bytes) {
    this.file = file;
    this.channel = channel;
    this.isStream = bytes == UNKNOWN_BYTES;
    this.left = bytes;
  }

  /**
   * Reads the file.
   *
   * @param magic its first bytes
   * @param version the latest known version
   * @param what its content, for messages
   * @throws SavedFileException if it is not a complete file of the format
   */
  SavedFile.Content read(MemorySegment magic, int version, String what) throws IOException {
    MemorySegment header = SavedFile.header();
    if (left < header.byteSize() || !fill(header, isStream)) {
      throw new SavedFileException(file, Kind.NOT_SAVED, "no saved " + what);
    }
    check(header, magic, version, what);
    sum.update(header.asSlice(0, SavedFile.CHECKED_HEADER).asByteBuffer());
    List<Memory> sections = new ArrayList<>();
    try {
      MemorySegment head = SavedFile.header();
      while (hasNext(head)) {
        sections.add(section(head, sections.size()));
      }
      if (header.get(ValueLayout.JAVA_LONG_UNALIGNED, SavedFile.CHECKED_HEADER) != sum.getValue()) {
        throw damaged("its checksum is wrong");
      }
      return new SavedFile.Content(file, header, sections);
    } catch (IOException | RuntimeException | Error e) {
      sections.forEach(Memory::close);
      throw e;
    }
  }

  private void check(MemorySegment header, MemorySegment magic, int version, String what) {
    if (header.asSlice(0, magic.byteSize()).mismatch(magic) >= 0) {
      throw new SavedFileException(file, Kind.NOT_SAVED, "no saved " + what);
    }
    int order = header.get(ValueLayout.JAVA_INT_UNALIGNED, 8);
    if (order == Integer.reverseBytes(SavedFile.ORDER_MARK)) {
      throw new SavedFileException(
          file, Kind.BYTE_ORDER, "saved on a machine of another byte order than this one");
    }
    int found = header.get(ValueLayout.JAVA_INT_UNALIGNED, 12);
    if (order == SavedFile.ORDER_MARK && found > version) {
      throw new SavedFileException(
          file, Kind.NEWER, "version " + found + "; this library reads up to " + version);
    }
    if (order != SavedFile.ORDER_MARK || found < 1) {
      throw damaged("its header has no byte order, or no version");
    }
  }

  /** Reads the head of the next section; returns false at the end. */
  private boolean hasNext(MemorySegment head) throws IOException {
    if (left > 0 && left < SavedFile.HEADER_BYTES) {
      throw damaged("%d bytes follow its last section".formatted(left));
    }
    return left > 0 && fill(head, isStream);
  }

  private Memory section(MemorySegment head, int number) throws IOException {
    if (number == MOST_SECTIONS) {
      throw damaged("more than %d sections".formatted(MOST_SECTIONS));
    }
    sum.update(head.asByteBuffer());
    long length = head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    // Compare before padding, which could overflow.
    if (length < 0 || length > left || SavedFile.padded(length) > left) {
      throw damaged(
          "a section of %d bytes is longer than the file, which has %d more"
              .formatted(length, left));
    }
    Memory memory = Memory.ofBytes(length);
    try {
      summed(memory.segment());
      summed(SavedFile.header().asSlice(0, SavedFile.padded(length) - length));
      return memory;
    } catch (IOException | RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private void summed(MemorySegment bytes) throws IOException {
    for (long at = 0; at < bytes.byteSize(); at += PIECE) {
      MemorySegment piece = bytes.asSlice(at, Math.min(PIECE, bytes.byteSize() - at));
      boolean _ = fill(piece, false);
      sum.update(piece.asByteBuffer());
    }
  }

  /** Fills a piece; returns false if it may be missing and the end is before it. */
  private boolean fill(MemorySegment piece, boolean mayMiss) throws IOException {
    ByteBuffer buffer = piece.asByteBuffer();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        if (mayMiss && buffer.position() == 0) {
          return false;
        }
        throw damaged(isStream ? "it ends early" : "it was shortened while it was read");
      }
    }
    left -= piece.byteSize();
    return true;
  }

  private SavedFileException damaged(String how) {
    return new SavedFileException(file, Kind.DAMAGED, "damaged: " + how);
  }
}
