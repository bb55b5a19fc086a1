package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.TrieLayout;
import java.io.ByteArrayOutputStream;

/**
 * Which nodes are the ends of words, by the letters that lead to them. Each node is looked at once,
 * however long the words are that go through it: they lie in memory parents before children.
 */
final class TrieLetters implements AutoCloseable {

  // What is known of a node: the steps of a letter that has more, packed as in Letter, and these.
  // Less than 0 where no step leads to it, but only the first of two edges.
  private static final int STEPS = (1 << (Letter.MAX_STEPS * Letter.STEP_BITS)) - 1;
  private static final int FIRST = 1 << 28;
  private static final int OTHERWISE = 1 << 29;
  private static final int NONE = 1 << 30;

  private final TrieNodes nodes;
  private final Alphabet alphabet;
  private final TriePool pool;
  private final long size;
  private final Memory memory;
  private final ThreadInts known;

  /** Of nodes of which it is known that they are a tree. */
  TrieLetters(TrieNodes nodes) {
    this.nodes = nodes;
    alphabet = nodes.alphabet();
    pool = nodes.pool();
    size = nodes.size();
    memory = Memory.ofInts(size);
    memory.segment().fill((byte) -1);
    known = ThreadInts.of(memory);
    known.set(TrieLayout.ROOT, FIRST);
    for (int node = 0; node < size; node++) {
      for (int step = 0; step < steps(node); step++) {
        int child = pool.through(node, step);
        if (child > 0) {
          known.set(child, after(known.get(node), step));
        }
      }
    }
  }

  /** Steps that may lead from a node. */
  private int steps(int node) {
    return known.get(node) < 0 ? 0 : alphabet.radix();
  }

  /** Whether all steps to a node are letters, the first of which may begin a word. */
  boolean isWord(int node) {
    return (known.get(node) & (STEPS | FIRST | NONE)) == 0;
  }

  /** Whether that word has the steps that this library has for it. */
  boolean isAsWritten(int node) {
    return (known.get(node) & OTHERWISE) == 0;
  }

  private int after(int before, int step) {
    int steps = with(before & STEPS, step);
    int after;
    if ((before & NONE) != 0) {
      after = before;
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

  /** The letters of ASCII are the first steps of every alphabet. */
  private static boolean isAscii(int steps) {
    return steps <= 'z' - 'a' + 1;
  }

  /** The letter that whole steps are written as; its steps may be others. */
  private long letter(int steps) {
    return alphabet.letterAt(alphabet.bytesOf(unpacked(steps)), 0);
  }

  /** Adds the words, as this library writes them, to nodes that nobody else uses. */
  void addTo(TrieNodes to) {
    TrieMerge.addAll(to, nodes, (node, place, step, child) -> place(to, node, place, step, child));
  }

  /** Where a node is there; one within a letter is where that began. */
  private int place(TrieNodes to, int node, int place, int step, int child) {
    if ((known.get(child) & NONE) != 0) {
      return -1;
    }
    int steps = with(known.get(node) & STEPS, step);
    return isWhole(steps) ? along(to, place, letter(steps)) : place;
  }

  private static int along(TrieNodes to, int from, long letter) {
    int node = from;
    for (int rest = Letter.steps(letter); rest != 0; rest >>= Letter.STEP_BITS) {
      node = TrieMerge.through(to, node, Letter.step(rest));
    }
    return node;
  }

  /** The word that ends in a node. */
  String word(int node) {
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

  @Override
  public void close() {
    memory.close();
  }
}
