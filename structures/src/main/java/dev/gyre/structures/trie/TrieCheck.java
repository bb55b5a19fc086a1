package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
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
  void requireTree(MemorySegment nodes) {
    long nodeBytes = TrieLayout.nodeBytes(alphabet.nodeShift());
    long made = nodes.byteSize() / nodeBytes;
    BitSet reached = new BitSet();
    long words = 0;
    for (long node = 0; node < made; node++) {
      long begin = node * nodeBytes;
      // The last eight bytes are the count.
      for (long at = begin; at < begin + nodeBytes - Long.BYTES; at += Long.BYTES) {
        if (nodes.get(ValueLayout.JAVA_LONG, at) != 0) {
          requireEdge(nodes, node, at, made, reached);
          requireEdge(nodes, node, at + Integer.BYTES, made, reached);
        }
      }
      long count = nodes.get(ValueLayout.JAVA_LONG, begin + nodeBytes - Long.BYTES);
      if (count < 0) {
        throw damaged("node " + node + " has a negative count");
      }
      require(count == 0 || node != TrieLayout.ROOT, "its root has a count");
      require(count <= Long.MAX_VALUE - words, "the sum of its counts is more than 2^63 - 1");
      words += count;
    }
    if (reached.cardinality() != made - 1) {
      throw damaged("no edge leads to node " + reached.nextClearBit(1));
    }
  }

  private void requireEdge(MemorySegment nodes, long node, long at, long made, BitSet reached) {
    int child = nodes.get(ValueLayout.JAVA_INT, at);
    if (child == TrieEdges.OVERFLOW) {
      nodes.set(ValueLayout.JAVA_INT, at, TrieEdges.EMPTY);
    } else if (child != TrieEdges.EMPTY) {
      long step = (at - node * TrieLayout.nodeBytes(alphabet.nodeShift())) / Integer.BYTES;
      // A node is made after the one that leads to it; and not by steps that no letter takes.
      if (child <= node || child >= made || step >= alphabet.radix()) {
        throw damaged("node " + node + " leads to " + child);
      }
      if (reached.get(child)) {
        throw damaged("two edges lead to node " + child);
      }
      reached.set(child);
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
                    .formatted(
                        Steps.word(alphabet, letters.steps(node)), Runtime.version().feature()));
          }
          written &= letters.isAsWritten(node);
        }
      }
    }
    return written;
  }

  /** The same words as this library writes them; those that are one now have the sum of both. */
  TrieNodes folded(TrieNodes nodes) {
    TrieNodes folded = new TrieNodes(alphabet, TrieNodes.INITIAL_CAPACITY);
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
