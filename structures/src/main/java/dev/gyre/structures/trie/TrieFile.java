package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Word tries in files: a {@link SavedFile} with one section, which has the nodes as they are in
 * memory.
 *
 * <table>
 *   <caption>The trie's part of the header</caption>
 *   <tr><th>byte<th>type<th>content
 *   <tr><td>16<td>int<td>number of steps of the alphabet
 *   <tr><td>20<td>int<td>shift of a node, which gives its size; see {@link NodeLayout}
 *   <tr><td>24<td>long<td>number of nodes, including the root
 *   <tr><td>32<td>int<td>the alphabet: 0 for ASCII letters, 1 for Unicode letters
 * </table>
 */
final class TrieFile {

  static final SavedFile FORMAT = new SavedFile("GYRETRIE", 1, "word trie");

  private TrieFile() {}

  /**
   * Writes the nodes to a file. No words may be added meanwhile. If this fails, an earlier file is
   * unchanged.
   */
  static void save(TrieNodes nodes, Path file) {
    nodes.forgetOverflows();
    FORMAT.save(file, header(nodes), List.of(nodes.made()));
  }

  /** Writes the bytes of a file with the nodes. No words may be added meanwhile. */
  static void save(TrieNodes nodes, OutputStream out) {
    nodes.forgetOverflows();
    FORMAT.save(out, header(nodes), List.of(nodes.made()));
  }

  private static MemorySegment header(TrieNodes nodes) {
    MemorySegment made = nodes.made();
    MemorySegment header = SavedFile.header();
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 16, nodes.alphabet().radix());
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 20, nodes.nodeShift());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 24, made.byteSize() / nodes.nodeSize().bytes());
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 32, number(nodes.alphabet()));
    return header;
  }

  /**
   * Reads the nodes of a file.
   *
   * @param saved the content, which is closed if it is not a trie
   * @throws SavedFileException if it is not a complete trie of this alphabet
   */
  static TrieNodes read(SavedFile.Content saved, Alphabet alphabet) {
    try {
      requireAlphabet(saved.file(), saved.header(), alphabet);
      NodeSize size = requireSize(saved.file(), saved.header(), alphabet);
      requireLength(saved, size);
      return words(saved.file(), new TrieNodes(alphabet, size, saved.sections().getFirst()));
    } catch (RuntimeException | Error e) {
      saved.sections().forEach(Memory::close);
      throw e;
    }
  }

  /**
   * Returns nodes with words as this library writes them; if they differ, the given nodes are
   * closed.
   */
  private static TrieNodes words(String file, TrieNodes nodes) {
    TrieNodes words = nodes;
    try (TrieCheck check = new TrieCheck(file, nodes)) {
      check.requireTree();
      if (nodes.alphabet() != Alphabet.ASCII_LETTERS && !check.areWords()) {
        words = check.folded();
        nodes.close();
      }
      return words;
    } catch (RuntimeException | Error e) {
      nodes.close();
      throw e;
    }
  }

  private static void requireAlphabet(String file, MemorySegment header, Alphabet alphabet) {
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
  }

  private static NodeSize requireSize(String file, MemorySegment header, Alphabet alphabet) {
    int shift = header.get(ValueLayout.JAVA_INT_UNALIGNED, 20);
    boolean small = shift == NodeSize.SMALL.layout().shift();
    TrieCheck.require(
        file,
        header.get(ValueLayout.JAVA_INT_UNALIGNED, 16) == alphabet.radix()
            && (small || shift == NodeSize.LARGE.layout().shift()),
        "its nodes are none of its alphabet");
    return small ? NodeSize.SMALL : NodeSize.LARGE;
  }

  private static void requireLength(SavedFile.Content content, NodeSize size) {
    long count = content.header().get(ValueLayout.JAVA_LONG_UNALIGNED, 24);
    TrieCheck.require(
        content.file(),
        count >= 1
            && count <= TrieLayout.MAX_NODES
            && content.sections().size() == 1
            && content.sections().getFirst().byteSize() == count * size.bytes(),
        "not as long as its nodes");
  }

  private static int number(Alphabet alphabet) {
    return switch (alphabet) {
      case ASCII_LETTERS -> 0;
      case UNICODE_LETTERS -> 1;
    };
  }
}
