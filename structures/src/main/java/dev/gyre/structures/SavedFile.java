package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.BrokenPipeException;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.SegmentChannel;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Target;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Format of the files with the memories of a structure. For the packages of this module.
 *
 * <p>A file is a header of 64 bytes, followed by the memories. Each memory is in a section: 8 bytes
 * with its length, zeros up to 64 bytes, the memory, zeros up to a multiple of 64. A section is
 * used in place after reading. Numbers are in the byte order of the writing machine. The checksum
 * detects every change of up to 32 consecutive bits, and all but one in four billion others. It
 * does not protect from deliberate changes; each structure checks its memories.
 *
 * <table>
 *   <caption>Header</caption>
 *   <tr><th>byte<th>type<th>what
 *   <tr><td>0<td>8 bytes<td>name of the format
 *   <tr><td>8<td>int<td>{@value #ORDER_MARK}, which shows the byte order
 *   <tr><td>12<td>int<td>version
 *   <tr><td>16<td>40 bytes<td>header of the structure
 *   <tr><td>56<td>long<td>CRC-32C of all other bytes of the file
 * </table>
 */
@Internal
public final class SavedFile {

  /** Size of the header of a file, and of a section, in bytes. */
  public static final int HEADER_BYTES = Memory.HEADER_BYTES;

  static final int ORDER_MARK = 0x0102_0304;

  /** Name of bytes outside a file, in messages. */
  public static final String IN_MEMORY = "saved bytes";

  /** Name of the bytes of a stream, in messages. */
  private static final String IN_STREAM = "saved bytes of a stream";

  static final long CHECKED_HEADER = 56;
  private static final int MAGIC_BYTES = 8;
  private static final long PIECE = 1L << 28;
  private static final int BUFFER_BYTES = 1 << 13;

  static {
    // Initialise the checksum while enough stack is left: a class whose initialiser overflows the
    // stack can never be used.
    update(new CRC32C(), header());
  }

  private final MemorySegment magic;
  private final int version;
  private final String what;

  /**
   * Creates a format.
   *
   * @param magic the 8 ASCII characters at the start of its files
   * @param version the latest version, which is also the one that is written
   * @param what content of a file, for messages, such as {@code map}
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
   * Content of a file.
   *
   * @param file name of the file, for messages
   * @param header a copy of its header
   * @param sections its memories, which the caller closes
   */
  public record Content(String file, MemorySegment header, List<Memory> sections) {}

  /** Returns a header without the structure's part. */
  public static MemorySegment header() {
    return MemorySegment.ofArray(new byte[HEADER_BYTES]);
  }

  /**
   * Writes a file, as an {@link OutputFile}; if that fails, an existing file is unchanged.
   *
   * @throws StructureException if it cannot be written; its cause is the {@link IOException}
   * @throws LaunchCancelledException if the thread is interrupted
   */
  public void save(Path file, MemorySegment header, List<MemorySegment> memories) {
    try {
      OutputFile output = OutputFile.of(file);
      List<MemorySegment> pieces = pieces(header, memories);
      output.write(channel -> write(channel, pieces));
    } catch (ClosedByInterruptException e) {
      throw cancelled("save", e);
    } catch (BadInputException | BrokenPipeException e) {
      Throwable cause = e.getCause() instanceof IOException io ? io : e;
      throw new StructureException(what + ": cannot save " + e.getMessage(), cause);
    } catch (IOException e) {
      throw new StructureException(what + ": cannot save " + file + ": " + e, e);
    }
  }

  /**
   * Writes the bytes of a file to a stream, which is not closed; if that fails, a part may be
   * written.
   *
   * @throws StructureException if they cannot be written; its cause is the {@link IOException}
   * @throws LaunchCancelledException if the thread is interrupted
   */
  public void save(OutputStream out, MemorySegment header, List<MemorySegment> memories) {
    try {
      for (MemorySegment piece : pieces(header, memories)) {
        write(out, piece);
      }
      out.flush();
    } catch (ClosedByInterruptException e) {
      throw cancelled("save", e);
    } catch (IOException e) {
      throw new StructureException(what + ": cannot save to a stream: " + e, e);
    }
  }

  /** Returns all bytes of a file, in order. */
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

  /** Writes without a channel, which would close the stream if the thread is interrupted. */
  private static void write(OutputStream out, MemorySegment bytes) throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, bytes.byteSize())];
    for (long at = 0; at < bytes.byteSize(); at += buffer.length) {
      if (Thread.currentThread().isInterrupted()) {
        throw new ClosedByInterruptException();
      }
      int length = (int) Math.min(buffer.length, bytes.byteSize() - at);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, buffer, 0, length);
      out.write(buffer, 0, length);
    }
  }

  private static void write(WritableByteChannel channel, List<MemorySegment> pieces)
      throws IOException {
    for (MemorySegment piece : pieces) {
      write(channel, piece);
    }
  }

  private static void write(WritableByteChannel channel, MemorySegment bytes) throws IOException {
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

  static long padded(long bytes) {
    return (bytes + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
  }

  /**
   * Reads a file into new memory, and checks all of it. Later changes of the file do not matter.
   *
   * @throws BadInputException if it cannot be read
   * @throws SavedFileException if it is not a complete file of this format
   * @throws LaunchCancelledException if the thread is interrupted
   */
  public Content open(Path file) {
    String name = file.toString();
    if (Files.isDirectory(file)) {
      throw new BadInputException(name, "is a folder, not a saved " + what);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new BadInputException(name, "is not a regular file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(name, channel, channel.size());
    } catch (NoSuchFileException e) {
      throw new BadInputException(name, "no such file", e);
    } catch (ClosedByInterruptException e) {
      throw cancelled("load", e);
    } catch (IOException e) {
      throw new BadInputException(name, "not readable: " + e, e);
    }
  }

  /**
   * Reads the bytes of a file, as {@link #open(Path)} does. Later changes of the bytes do not
   * matter.
   *
   * @throws SavedFileException if they are not a complete file of this format
   * @throws IllegalArgumentException if they can no longer be read
   */
  public Content open(MemorySegment bytes) {
    Memories.requireReadable(bytes);
    try {
      return read(IN_MEMORY, new SegmentChannel(bytes), bytes.byteSize());
    } catch (IOException e) {
      throw new BadInputException(IN_MEMORY, "not readable: " + e, e);
    }
  }

  /**
   * Reads the bytes of a file from a stream to its end, and checks all of them. The stream is not
   * closed.
   *
   * @throws BadInputException if it cannot be read
   * @throws SavedFileException if the bytes are not a complete file of this format
   * @throws LaunchCancelledException if the thread is interrupted
   */
  public Content open(InputStream in) {
    try {
      return read(IN_STREAM, Channels.newChannel(unclosed(in)), SavedFileReader.UNKNOWN_BYTES);
    } catch (ClosedByInterruptException e) {
      throw cancelled("load", e);
    } catch (IOException e) {
      throw new BadInputException(IN_STREAM, "not readable: " + e, e);
    }
  }

  /** Returns a stream that an interrupt does not close. */
  private static InputStream unclosed(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public void close() {
        // The caller closes it.
      }
    };
  }

  private LaunchCancelledException cancelled(String operation, ClosedByInterruptException e) {
    Device host = new Device(Target.JVM, "this JVM", 1);
    return new LaunchCancelledException(operation + " of a " + what, host, e);
  }

  /** Returns the content of a file with a given size. */
  Content read(String file, ReadableByteChannel channel, long bytes) throws IOException {
    return new SavedFileReader(file, channel, bytes).read(magic, version, what);
  }
}
