package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Word tries in files: a {@link SavedFile} whose one section are the nodes as they are in memory.
 *
 * <table>
 * <caption>The trie's part of the header</caption>
 * <tr><th>byte<th>type<th>what
 * <tr><td>16<td>int<td>steps of the alphabet
 * <tr><td>20<td>int<td>shift of a node; see {@link TrieLayout}
 * <tr><td>24<td>long<td>nodes, with the root
 * <tr><td>32<td>int<td>the alphabet: 0 for the letters of ASCII, 1 for those of Unicode
 * </table>
 */
final class TrieFile {

  private static final SavedFile FORMAT = new SavedFile("GYRETRIE", 1, "word trie");

  private TrieFile() {}

  /**
   * Writes the nodes, to which nobody may add meanwhile; where that fails, what was there before is
   * unchanged.
   */
  static void save(TrieNodes nodes, Path file) {
    nodes.forgetOverflows();
    MemorySegment made = nodes.made();
    MemorySegment header = SavedFile.header();
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 16, nodes.alphabet().radix());
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 20, nodes.nodeShift());
    header.set(
        ValueLayout.JAVA_LONG_UNALIGNED,
        24,
        made.byteSize() / TrieLayout.nodeBytes(nodes.nodeShift()));
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 32, number(nodes.alphabet()));
    FORMAT.save(file, header, List.of(made));
  }

  /**
   * Maps a file.
   *
   * @throws SavedFileException if it is no whole trie of this alphabet
   */
  static TrieNodes load(Path file, Alphabet alphabet) {
    SavedFile.Content content = FORMAT.open(file);
    try {
      check(file.toString(), content, alphabet);
      return new TrieNodes(alphabet, content.sections().getFirst());
    } catch (RuntimeException | Error e) {
      content.sections().forEach(Memory::close);
      throw e;
    }
  }

  private static void check(String file, SavedFile.Content content, Alphabet alphabet) {
    MemorySegment header = content.header();
    int number = header.get(ValueLayout.JAVA_INT_UNALIGNED, 32);
    if (number != number(alphabet)) {
      String saved =
          Arrays.stream(Alphabet.values())
              .filter(other -> number(other) == number)
              .map(Alphabet::label)
              .findFirst()
              .orElse("number " + number);
      throw new SavedFileException(
          file,
          Kind.OTHER_TYPE,
          "saved with the alphabet " + saved + ", to be loaded with " + alphabet.label());
    }
    require(
        header.get(ValueLayout.JAVA_INT_UNALIGNED, 16) == alphabet.radix()
            && header.get(ValueLayout.JAVA_INT_UNALIGNED, 20) == alphabet.nodeShift(),
        file,
        "its nodes are none of its alphabet");
    require(content.sections().size() == 1, file, "not as long as its nodes");
    checkNodes(
        file,
        header.get(ValueLayout.JAVA_LONG_UNALIGNED, 24),
        content.sections().getFirst().segment(),
        alphabet);
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
    require(
        count >= 1 && count <= TrieLayout.MAX_NODES && nodes.byteSize() == count * nodeBytes,
        file,
        "not as long as its nodes");
    for (long node = 0; node < count; node++) {
      for (int step = 0; step < nodeBytes / Integer.BYTES - 2; step++) {
        int child = nodes.get(ValueLayout.JAVA_INT, node * nodeBytes + (long) step * Integer.BYTES);
        // A node is made after the one that leads to it; and not by steps that no letter takes.
        boolean possible = child > node && child < count && step < alphabet.radix();
        if (child != 0 && !possible) {
          throw damaged(file, "node " + node + " leads to " + child);
        }
      }
      if (nodes.get(ValueLayout.JAVA_LONG, (node + 1) * nodeBytes - Long.BYTES) < 0) {
        throw damaged(file, "node " + node + " has a negative count");
      }
    }
  }

  private static void require(boolean held, String file, String otherwise) {
    if (!held) {
      throw damaged(file, otherwise);
    }
  }

  private static SavedFileException damaged(String file, String how) {
    return new SavedFileException(file, Kind.DAMAGED, "damaged: " + how);
  }
}
