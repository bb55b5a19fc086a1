package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.trie.TrieFileException.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Word tries in files: a header of {@value #HEADER} bytes, then the nodes as they are in memory.
 *
 * <p>The header is as long as that of a {@link Memory}, so that a file is mapped and used as it is;
 * the mapping is private, so that words added later do not reach the file. Numbers are in the byte
 * order of the machine that wrote the file.
 *
 * <table>
 * <caption>Header</caption>
 * <tr><th>byte<th>type<th>what
 * <tr><td>0<td>8 bytes<td>{@code GYRETRIE}
 * <tr><td>8<td>int<td>{@value #ORDER_MARK}, to tell the byte order
 * <tr><td>12<td>int<td>version, {@value #VERSION}
 * <tr><td>16<td>int<td>steps of the alphabet
 * <tr><td>20<td>int<td>shift of a node; see {@link TrieLayout}
 * <tr><td>24<td>long<td>nodes, with the root
 * <tr><td>32<td>int<td>the alphabet: 0 for the letters of ASCII, 1 for those of Unicode
 * <tr><td>36<td>20 bytes<td>0
 * <tr><td>56<td>long<td>CRC-32C of the header up to here and of the nodes
 * </table>
 */
final class TrieFile {

  static final int HEADER = Memory.HEADER_BYTES;
  static final int VERSION = 1;
  static final int ORDER_MARK = 0x0102_0304;

  private static final long MAGIC_BYTES = 8;
  private static final byte[] MAGIC = {'G', 'Y', 'R', 'E', 'T', 'R', 'I', 'E'};
  private static final long CHECKED_HEADER = 56;
  private static final long PIECE = 1L << 28;

  private TrieFile() {}

  /** Writes the nodes; where that fails, what was there before is unchanged. */
  static void save(TrieNodes nodes, Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Path unfinished = Files.createTempFile(folder, "." + file.getFileName(), ".part");
      try {
        write(nodes, unfinished);
        Files.move(
            unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      throw new StructureException("word trie: cannot save " + file + ": " + e, e);
    }
  }

  private static void write(TrieNodes nodes, Path file) throws IOException {
    MemorySegment made = nodes.made();
    MemorySegment header = MemorySegment.ofArray(new byte[HEADER]);
    MemorySegment.copy(MemorySegment.ofArray(MAGIC), 0, header, 0, MAGIC_BYTES);
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 8, ORDER_MARK);
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 12, VERSION);
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 16, nodes.alphabet().radix());
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 20, nodes.nodeShift());
    header.set(
        ValueLayout.JAVA_LONG_UNALIGNED,
        24,
        made.byteSize() / TrieLayout.nodeBytes(nodes.nodeShift()));
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 32, number(nodes.alphabet()));
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 56, checksum(header, made));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      write(channel, header);
      write(channel, made);
      channel.force(true);
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

  /**
   * Maps a file.
   *
   * @throws TrieFileException if it is no whole trie of this alphabet
   */
  static TrieNodes load(Path file, Alphabet alphabet) {
    Memory memory = map(file);
    try {
      check(file.toString(), memory.segmentWithHeader(), alphabet);
      return new TrieNodes(alphabet, memory);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private static Memory map(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() < HEADER) {
        throw new TrieFileException(
            file.toString(), Kind.NO_TRIE, "no saved word trie: too short for one");
      }
      return Memory.ofMapped(channel);
    } catch (NoSuchFileException e) {
      throw new BadInputException(file.toString(), "no such file", e);
    } catch (IOException e) {
      throw new BadInputException(file.toString(), "not readable: " + e, e);
    }
  }

  private static void check(String file, MemorySegment whole, Alphabet alphabet) {
    if (whole.asSlice(0, MAGIC_BYTES).mismatch(MemorySegment.ofArray(MAGIC)) >= 0) {
      throw new TrieFileException(file, Kind.NO_TRIE, "no saved word trie");
    }
    int order = whole.get(ValueLayout.JAVA_INT_UNALIGNED, 8);
    if (order == Integer.reverseBytes(ORDER_MARK)) {
      throw new TrieFileException(
          file, Kind.BYTE_ORDER, "saved on a machine of another byte order than this one");
    }
    int version = whole.get(ValueLayout.JAVA_INT_UNALIGNED, 12);
    if (order == ORDER_MARK && version > VERSION) {
      throw new TrieFileException(
          file, Kind.NEWER, "version " + version + "; this library reads up to " + VERSION);
    }
    MemorySegment nodes = whole.asSlice(HEADER);
    if (whole.get(ValueLayout.JAVA_LONG_UNALIGNED, 56) != checksum(whole, nodes)) {
      throw damaged(file, "its checksum is wrong");
    }
    if (order != ORDER_MARK || version != VERSION) {
      throw damaged(file, "its header is none of this version");
    }
    checkAlphabet(file, whole, alphabet);
    checkNodes(file, whole.get(ValueLayout.JAVA_LONG_UNALIGNED, 24), nodes, alphabet);
  }

  private static void checkAlphabet(String file, MemorySegment whole, Alphabet alphabet) {
    int number = whole.get(ValueLayout.JAVA_INT_UNALIGNED, 32);
    if (number != number(alphabet)) {
      String saved =
          Arrays.stream(Alphabet.values())
              .filter(other -> number(other) == number)
              .map(Alphabet::label)
              .findFirst()
              .orElse("number " + number);
      throw new TrieFileException(
          file,
          Kind.OTHER_ALPHABET,
          "saved with the alphabet " + saved + ", to be loaded with " + alphabet.label());
    }
    if (whole.get(ValueLayout.JAVA_INT_UNALIGNED, 16) != alphabet.radix()
        || whole.get(ValueLayout.JAVA_INT_UNALIGNED, 20) != alphabet.nodeShift()) {
      throw damaged(file, "its nodes are none of its alphabet");
    }
  }

  private static int number(Alphabet alphabet) {
    return switch (alphabet) {
      case ASCII_LETTERS -> 0;
      case UNICODE_LETTERS -> 1;
    };
  }

  /** A checksum can be forged: what does not look like nodes is not walked. */
  private static void checkNodes(String file, long count, MemorySegment nodes, Alphabet alphabet) {
    long nodeBytes = TrieLayout.nodeBytes(alphabet.nodeShift());
    if (count < 1 || count > TrieLayout.MAX_NODES || nodes.byteSize() != count * nodeBytes) {
      throw damaged(file, "not as long as its nodes");
    }
    for (long node = 0; node < count; node++) {
      for (int step = 0; step < alphabet.radix(); step++) {
        int child = nodes.get(ValueLayout.JAVA_INT, node * nodeBytes + (long) step * Integer.BYTES);
        // A node is made after the one that leads to it.
        if (child != 0 && (child <= node || child >= count)) {
          throw damaged(file, "node " + node + " leads to " + child);
        }
      }
      if (nodes.get(ValueLayout.JAVA_LONG, (node + 1) * nodeBytes - Long.BYTES) < 0) {
        throw damaged(file, "node " + node + " has a negative count");
      }
    }
  }

  private static TrieFileException damaged(String file, String how) {
    return new TrieFileException(file, Kind.DAMAGED, "damaged: " + how);
  }

  private static long checksum(MemorySegment header, MemorySegment nodes) {
    CRC32C sum = new CRC32C();
    sum.update(header.asSlice(0, CHECKED_HEADER).asByteBuffer());
    for (long at = 0; at < nodes.byteSize(); at += PIECE) {
      sum.update(nodes.asSlice(at, Math.min(PIECE, nodes.byteSize() - at)).asByteBuffer());
    }
    return sum.getValue();
  }
}
