package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.BrokenPipeException;
import dev.gyre.datasets.OutputFile;
import dev.gyre.structures.SavedFileException.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The format of files that hold the memories of a structure; what the structures of this library
 * save with.
 *
 * <p>A file is a header of 64 bytes, and then the memories, each in a section of its own: 8 bytes
 * with its length, zeros up to 64 bytes, the memory, zeros up to a multiple of 64. A section begins
 * as a {@link Memory} does, so it is mapped and used as it is. The mapping is private: what is
 * written later does not reach the file. Numbers are in the byte order of the machine that wrote
 * the file. The checksum finds every change of up to 32 bits in a row, and others but for one in
 * four billion.
 *
 * <table>
 * <caption>Header</caption>
 * <tr><th>byte<th>type<th>what
 * <tr><td>0<td>8 bytes<td>name of the format
 * <tr><td>8<td>int<td>{@value #ORDER_MARK}, to tell the byte order
 * <tr><td>12<td>int<td>version
 * <tr><td>16<td>40 bytes<td>the structure's
 * <tr><td>56<td>long<td>CRC-32C of all bytes of the file but these
 * </table>
 */
public final class SavedFile {

  /** Length of the header, and of what a section begins with. */
  public static final int HEADER_BYTES = Memory.HEADER_BYTES;

  static final int ORDER_MARK = 0x0102_0304;

  private static final long CHECKED_HEADER = 56;
  private static final int MAGIC_BYTES = 8;
  private static final long PIECE = 1L << 28;

  private final MemorySegment magic;
  private final int version;
  private final String what;

  /**
   * Names a format.
   *
   * @param magic the 8 ASCII characters at the start of its files
   * @param version the latest, which is also the one that is written
   * @param what what a file holds, for messages, such as {@code map}
   */
  public SavedFile(String magic, int version, String what) {
    byte[] bytes = magic.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length != MAGIC_BYTES) {
      throw new IllegalArgumentException("not 8 characters: " + magic);
    }
    this.magic = MemorySegment.ofArray(bytes);
    this.version = version;
    this.what = what;
  }

  /**
   * What a file holds.
   *
   * @param header a copy of its header
   * @param sections its memories, which the caller closes
   */
  public record Content(MemorySegment header, List<Memory> sections) {}

  /** A header in which the structure's part is to be filled in. */
  public static MemorySegment header() {
    return MemorySegment.ofArray(new byte[HEADER_BYTES]);
  }

  /**
   * Writes a file, as an {@link OutputFile}; where that fails, what was there before is unchanged.
   *
   * @throws StructureException if it cannot be written
   */
  public void save(Path file, MemorySegment header, List<MemorySegment> memories) {
    try {
      OutputFile output = OutputFile.of(file);
      List<MemorySegment> pieces = pieces(header, memories);
      output.write(channel -> write(channel, pieces));
    } catch (BadInputException | BrokenPipeException e) {
      throw new StructureException(what + ": cannot save " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StructureException(what + ": cannot save " + file + ": " + e, e);
    }
  }

  /** All bytes of a file, in order. */
  private List<MemorySegment> pieces(MemorySegment header, List<MemorySegment> memories) {
    MemorySegment.copy(magic, 0, header, 0, MAGIC_BYTES);
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 8, ORDER_MARK);
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 12, version);
    List<MemorySegment> pieces = new ArrayList<>();
    for (MemorySegment memory : memories) {
      MemorySegment length = header();
      length.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, memory.byteSize());
      pieces.add(length);
      pieces.add(memory);
      pieces.add(header().asSlice(0, padded(memory.byteSize()) - memory.byteSize()));
    }
    CRC32C sum = new CRC32C();
    update(sum, header.asSlice(0, CHECKED_HEADER));
    pieces.forEach(piece -> update(sum, piece));
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, CHECKED_HEADER, sum.getValue());
    pieces.addFirst(header);
    return pieces;
  }

  private static void write(FileChannel channel, List<MemorySegment> pieces) throws IOException {
    for (MemorySegment piece : pieces) {
      write(channel, piece);
    }
  }

  private static void write(FileChannel channel, MemorySegment bytes) throws IOException {
    for (long at = 0; at < bytes.byteSize(); at += PIECE) {
      ByteBuffer piece = bytes.asSlice(at, Math.min(PIECE, bytes.byteSize() - at)).asByteBuffer();
      while (piece.hasRemaining()) {
        channel.write(piece);
      }
    }
  }

  private static void update(CRC32C sum, MemorySegment bytes) {
    for (long at = 0; at < bytes.byteSize(); at += PIECE) {
      sum.update(bytes.asSlice(at, Math.min(PIECE, bytes.byteSize() - at)).asByteBuffer());
    }
  }

  private static long padded(long bytes) {
    return (bytes + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
  }

  /**
   * Maps a file, having checked all of it; one that may not be written is read instead, since not
   * even a private mapping of it can be.
   *
   * @throws BadInputException if it cannot be read
   * @throws SavedFileException if it is no whole file of this format
   */
  public Content open(Path file) {
    try {
      return openToWrite(file);
    } catch (NoSuchFileException e) {
      throw new BadInputException(file.toString(), "no such file", e);
    } catch (IOException e) {
      throw new BadInputException(file.toString(), "not readable: " + e, e);
    }
  }

  private Content openToWrite(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return content(file, channel, (at, length) -> Memory.ofMapped(channel, at, length));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      // Not permitted, or a file system that is read only.
      return openToRead(file);
    }
  }

  /** What a file holds, in memory of its own. */
  Content openToRead(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment whole = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return content(
          file,
          channel,
          (at, length) -> {
            Memory copy = Memory.ofBytes(length);
            copy.segment().copyFrom(whole.asSlice(at + HEADER_BYTES, length));
            return copy;
          });
    }
  }

  /** How a section comes to memory. */
  private interface Loading {
    Memory load(long at, long length) throws IOException;
  }

  private Content content(Path file, FileChannel channel, Loading loading) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      check(file.toString(), whole);
      MemorySegment header = header().copyFrom(whole.asSlice(0, HEADER_BYTES));
      return new Content(header, sections(file.toString(), whole, loading));
    }
  }

  private void check(String file, MemorySegment whole) {
    if (whole.byteSize() < HEADER_BYTES || whole.asSlice(0, MAGIC_BYTES).mismatch(magic) >= 0) {
      throw new SavedFileException(file, Kind.NOT_SAVED, "no saved " + what);
    }
    int order = whole.get(ValueLayout.JAVA_INT_UNALIGNED, 8);
    if (order == Integer.reverseBytes(ORDER_MARK)) {
      throw new SavedFileException(
          file, Kind.BYTE_ORDER, "saved on a machine of another byte order than this one");
    }
    int found = whole.get(ValueLayout.JAVA_INT_UNALIGNED, 12);
    if (order == ORDER_MARK && found > version) {
      throw new SavedFileException(
          file, Kind.NEWER, "version " + found + "; this library reads up to " + version);
    }
    CRC32C sum = new CRC32C();
    update(sum, whole.asSlice(0, CHECKED_HEADER));
    update(sum, whole.asSlice(HEADER_BYTES));
    boolean whatItWas =
        whole.get(ValueLayout.JAVA_LONG_UNALIGNED, CHECKED_HEADER) == sum.getValue();
    if (!whatItWas || order != ORDER_MARK || found < 1) {
      throw damaged(file, "its checksum is wrong");
    }
  }

  private static List<Memory> sections(String file, MemorySegment whole, Loading loading)
      throws IOException {
    List<Memory> sections = new ArrayList<>();
    try {
      long at = HEADER_BYTES;
      while (at < whole.byteSize()) {
        long length = whole.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        if (length < 0 || length > whole.byteSize() - at - HEADER_BYTES) {
          throw damaged(file, "a section is longer than the file");
        }
        sections.add(loading.load(at, length));
        at += HEADER_BYTES + padded(length);
      }
      return sections;
    } catch (IOException | RuntimeException | Error e) {
      sections.forEach(Memory::close);
      throw e;
    }
  }

  private static SavedFileException damaged(String file, String how) {
    return new SavedFileException(file, Kind.DAMAGED, "damaged: " + how);
  }
}
