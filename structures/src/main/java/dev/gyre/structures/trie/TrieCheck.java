package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * What is asked of nodes from a file before anybody walks them: that they are a tree, whose counts
 * have a sum, and whose words are words. A checksum can be forged.
 */
final class TrieCheck {

  private final String file;
  private final Alphabet alphabet;

  TrieCheck(String file, Alphabet alphabet) {
    this.file = file;
    this.alphabet = alphabet;
  }

  /**
   * Checks edges and counts; an edge for which there once was no room leads nowhere afterwards.
   *
   * @param nodes so many as there is room for
   * @throws SavedFileException saying what is wrong
   */
  void requireTree(MemorySegment nodes, NodeSize size) {
    Tree tree = new Tree(nodes, size);
    long words = 0;
    for (long node = 0; node < tree.made; node++) {
      long begin = node * size.bytes();
      // The last eight bytes are the count.
      for (long at = begin; at < begin + size.bytes() - Long.BYTES; at += Long.BYTES) {
        if (nodes.get(ValueLayout.JAVA_LONG, at) != 0) {
          tree.requireEdge(node, at);
          tree.requireEdge(node, at + Integer.BYTES);
        }
      }
      long count = nodes.get(ValueLayout.JAVA_LONG, begin + size.bytes() - Long.BYTES);
      if (count < 0) {
        throw damaged("node " + node + " has a negative count");
      }
      require(count == 0 || node != TrieLayout.ROOT, "its root has a count");
      if (count > 0 && tree.between.get((int) node)) {
        throw damaged("node " + node + " has a count in the middle of a letter");
      }
      require(count <= Long.MAX_VALUE - words, "the sum of its counts is more than 2^63 - 1");
      words += count;
    }
    if (tree.reached.cardinality() != tree.made - 1) {
      throw damaged("no edge leads to node " + tree.reached.nextClearBit(1));
    }
  }

  /** What is known of nodes while their edges are checked. */
  private final class Tree {

    private final MemorySegment nodes;
    private final NodeSize size;
    private final NodeLayout layout;
    final long made;

    /** Nodes to which an edge leads. */
    final BitSet reached = new BitSet();

    /** Those to which the first of two edges of a step does. */
    final BitSet between = new BitSet();

    Tree(MemorySegment nodes, NodeSize size) {
      this.nodes = nodes;
      this.size = size;
      this.layout = size.layout();
      this.made = nodes.byteSize() / size.bytes();
    }

    void requireEdge(long node, long at) {
      int child = nodes.get(ValueLayout.JAVA_INT, at);
      if (child == TrieEdges.OVERFLOW) {
        nodes.set(ValueLayout.JAVA_INT, at, TrieEdges.EMPTY);
      } else if (child != TrieEdges.EMPTY) {
        int edge = (int) (at - node * size.bytes()) / Integer.BYTES;
        boolean first = !between.get((int) node);
        // A node is made after the one that leads to it; and not by steps that no letter takes.
        if (child <= node || child >= made || (first && layout.step(edge, 0) >= alphabet.radix())) {
          throw damaged("node " + node + " leads to " + child);
        }
        if (reached.get(child)) {
          throw damaged("two edges lead to node " + child);
        }
        reached.set(child);
        if (first && layout.isSplit()) {
          between.set(child);
          requireSteps(edge, child);
        }
      }
    }

    /** Looks ahead for the second edges of steps that no letter takes. */
    private void requireSteps(int first, int child) {
      for (int edge = 0; layout.step(first, edge) < layout.step(first + 1, 0); edge++) {
        int there = nodes.get(ValueLayout.JAVA_INT, child * size.bytes() + edge * 4L);
        if (there > 0 && layout.step(first, edge) >= alphabet.radix()) {
          throw damaged("node " + child + " leads to " + there);
        }
      }
    }
  }

  /**
   * Checks that words are made of letters.
   *
   * @return whether all are written as this library writes them, or some need {@link #folded}
   * @throws SavedFileException naming a word that is none
   */
  boolean areWords(TrieNodes nodes) {
    boolean written = true;
    try (TrieLetters letters = new TrieLetters(nodes)) {
      for (int node = 0; node < nodes.size(); node++) {
        if (nodes.count(node) > 0) {
          if (!letters.isWord(node)) {
            throw new SavedFileException(
                file,
                Kind.OTHER_TYPE,
                "'%s' is not a word to Java %d"
                    .formatted(letters.word(node), Runtime.version().feature()));
          }
          written &= letters.isAsWritten(node);
        }
      }
    }
    return written;
  }

  /** The same words as this library writes them; those that are one now have the sum of both. */
  TrieNodes folded(TrieNodes nodes) {
    TrieNodes folded = nodes.like(TrieNodes.INITIAL_CAPACITY);
    try (TrieLetters letters = new TrieLetters(nodes)) {
      letters.addTo(folded);
      return folded;
    } catch (RuntimeException | Error e) {
      folded.close();
      throw e;
    }
  }

  /** Refuses what does not hold. */
  void require(boolean held, String otherwise) {
    if (!held) {
      throw damaged(otherwise);
    }
  }

  private SavedFileException damaged(String how) {
    return new SavedFileException(file, Kind.DAMAGED, "damaged: " + how);
  }
}
