package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import java.io.ByteArrayOutputStream;

/**
 * Checks nodes from a file before they are used: they must be a tree, the sum of their counts must
 * not overflow, and their words must be valid. A checksum alone may fit corrupted nodes.
 *
 * <p>Each node is read once, however long the words are that pass through it, because a node
 * follows its parent in memory.
 */
final class TrieCheck implements AutoCloseable {

  // State of a node: the steps of an incomplete letter, packed as in Letter, and the following
  // bits.
  private static final int STEPS = (1 << (Letter.MAX_STEPS * Letter.STEP_BITS)) - 1;

  /** Position of the first edge of a step, for a node between two edges. */
  private static final int EDGE_SHIFT = Letter.MAX_STEPS * Letter.STEP_BITS;

  private static final int EDGE = 7 << EDGE_SHIFT;
  private static final int FIRST = 1 << 28;
  private static final int OTHERWISE = 1 << 29;
  private static final int NONE = 1 << 30;
  private static final int BETWEEN = 1 << 31;

  /** State of a node to which no edge leads: no node between two edges has all of these bits. */
  private static final int UNREACHED = -1;

  private final String file;
  private final TrieNodes nodes;
  private final Alphabet alphabet;
  private final NodeLayout layout;
  private final TriePool pool;
  private final long made;
  private final Memory memory;
  private final ThreadInts known;

  /** Creates a check of nodes that fill their pool. */
  TrieCheck(String file, TrieNodes nodes) {
    this.file = file;
    this.nodes = nodes;
    this.alphabet = nodes.alphabet();
    this.pool = nodes.pool();
    this.layout = pool.layout();
    this.made = nodes.size();
    this.memory = Memory.ofInts(made);
    memory.segment().fill((byte) UNREACHED);
    this.known = ThreadInts.of(memory);
  }

  /**
   * Checks edges and counts. Edges for which there once was no capacity lead nowhere afterwards.
   *
   * @throws SavedFileException if they are invalid; its message names the fault
   */
  void requireTree() {
    long words = 0;
    long[] buffer = new long[pool.nodeLongs()];
    known.set(TrieLayout.ROOT, FIRST);
    for (long node = 0; node < made; node++) {
      for (int pairs = pool.pairs((int) node, buffer); pairs != 0; pairs &= pairs - 1) {
        int edge = 2 * Integer.numberOfTrailingZeros(pairs);
        requireEdge((int) node, edge);
        requireEdge((int) node, edge + 1);
      }
      long count = pool.count((int) node);
      if (count < 0) {
        throw damaged(file, "node " + node + " has a negative count");
      }
      require(file, count == 0 || node != TrieLayout.ROOT, "its root has a count");
      if (count > 0 && isBetween(known.get(node))) {
        throw damaged(file, "node " + node + " has a count in the middle of a letter");
      }
      require(file, count <= Long.MAX_VALUE - words, "the sum of its counts is more than 2^63 - 1");
      words += count;
    }
    for (long node = 0; node < made; node++) {
      if (known.get(node) == UNREACHED) {
        throw damaged(file, "no edge leads to node " + node);
      }
    }
  }

  private static boolean isBetween(int state) {
    return state < 0 && state != UNREACHED;
  }

  private void requireEdge(int node, int edge) {
    long at = TrieLayout.edge(node, layout.shift(), edge);
    int child = pool.edges().get(at);
    if (child == TrieEdges.OVERFLOW) {
      pool.edges().set(at, TrieEdges.EMPTY);
    } else if (child != TrieEdges.EMPTY) {
      int state = known.get(node);
      boolean second = isBetween(state);
      int step = second ? layout.step((state & EDGE) >> EDGE_SHIFT, edge) : layout.step(edge, 0);
      // A node is made after its parent, and only for steps of the alphabet.
      if (child <= node || child >= made || step >= alphabet.radix()) {
        throw damaged(file, "node " + node + " leads to " + child);
      }
      if (known.get(child) != UNREACHED) {
        throw damaged(file, "two edges lead to node " + child);
      }
      boolean between = layout.isSplit() && !second;
      int before = state & ~(EDGE | BETWEEN);
      known.set(child, between ? before | edge << EDGE_SHIFT | BETWEEN : after(before, step));
    }
  }

  private int after(int before, int step) {
    int steps = with(before & STEPS, step);
    int after;
    if ((before & NONE) != 0) {
      after = before;
    } else if (isAscii(steps)) {
      after = before & OTHERWISE;
    } else if (isWhole(steps)) {
      long letter = letter(steps);
      boolean fits = (before & FIRST) == 0 ? Letter.steps(letter) != 0 : Letter.begins(letter);
      after = (before & OTHERWISE) | (fits ? 0 : NONE);
      after |= Letter.steps(letter) == steps ? 0 : OTHERWISE;
    } else {
      after = (before & ~STEPS) | steps;
    }
    return after;
  }

  private static int with(int steps, int step) {
    return steps | ((step + 1) << (count(steps) * Letter.STEP_BITS));
  }

  private static int count(int steps) {
    return Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(steps), Letter.STEP_BITS);
  }

  private static byte[] unpacked(int steps) {
    byte[] unpacked = new byte[count(steps)];
    for (int at = 0; at < unpacked.length; at++) {
      unpacked[at] = (byte) Letter.step(steps >> (at * Letter.STEP_BITS));
    }
    return unpacked;
  }

  private boolean isWhole(int steps) {
    return isAscii(steps) || alphabet.bytesOf(unpacked(steps)).length > 0;
  }

  /** The ASCII letters are the first steps of every alphabet. */
  private static boolean isAscii(int steps) {
    return steps <= 'z' - 'a' + 1;
  }

  /** Returns the letter that complete steps are written as; its own steps may differ. */
  private long letter(int steps) {
    return alphabet.letterAt(alphabet.bytesOf(unpacked(steps)), 0);
  }

  /**
   * Checks that the words of a tree consist of letters.
   *
   * @return whether all are written as this library writes them; otherwise some need {@link
   *     #folded}
   * @throws SavedFileException if a word is invalid; its message names the word
   */
  boolean areWords() {
    boolean written = true;
    for (long node = 0; node < made; node++) {
      if (pool.count((int) node) > 0) {
        int state = known.get(node);
        // All steps to it are letters, and the first may begin a word.
        if ((state & (STEPS | FIRST | NONE)) != 0) {
          throw new SavedFileException(
              file,
              Kind.OTHER_TYPE,
              "'%s' is not a word to Java %d"
                  .formatted(word((int) node), Runtime.version().feature()));
        }
        written &= (state & OTHERWISE) == 0;
      }
    }
    return written;
  }

  /** Returns the word that ends in a node. */
  private String word(int node) {
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    int child = node;
    for (int parent = node - 1; parent >= 0; parent--) {
      int edge = pool.edge(parent, child);
      if (edge >= 0) {
        path.write(edge);
        child = parent;
      }
    }
    return nodes.word(Steps.reversed(path.toByteArray()));
  }

  /**
   * Returns the same words, as this library writes them. Counts of words that become equal are
   * added up.
   */
  TrieNodes folded() {
    TrieNodes folded = nodes.like(TrieNodes.INITIAL_CAPACITY);
    try {
      TrieMerge.addAll(
          folded,
          nodes,
          false,
          (node, place, step, child) -> place(folded, node, place, step, child));
      return folded;
    } catch (RuntimeException | Error e) {
      folded.close();
      throw e;
    }
  }

  /**
   * Returns the place of a node in the result; for a node within a letter, the place where the
   * letter begins.
   */
  private int place(TrieNodes to, int node, int from, int step, int child) {
    if ((known.get(child) & NONE) != 0) {
      return -1;
    }
    int steps = with(known.get(node) & STEPS, step);
    int place = from;
    if (isWhole(steps)) {
      for (int rest = Letter.steps(letter(steps)); rest != 0; rest >>= Letter.STEP_BITS) {
        place = TrieMerge.through(to, place, Letter.step(rest));
      }
    }
    return place;
  }

  /** Throws if a condition does not hold. */
  static void require(String file, boolean held, String otherwise) {
    if (!held) {
      throw damaged(file, otherwise);
    }
  }

  private static SavedFileException damaged(String file, String how) {
    return new SavedFileException(file, Kind.DAMAGED, "damaged: " + how);
  }

  @Override
  public void close() {
    memory.close();
  }
}
