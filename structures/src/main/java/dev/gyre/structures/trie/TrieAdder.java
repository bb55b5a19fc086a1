package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import java.util.Arrays;

/**
 * Additions by the calling thread, concurrent with any number of other additions and of reads, with
 * the accesses of {@link TrieEdges}. The pool of nodes must not be replaced meanwhile.
 */
final class TrieAdder {

  private static final int FEW_WORDS = 8;

  private static volatile boolean prepared;

  private TrieAdder() {}

  /**
   * Makes a node in a separate trie, once per process. So all necessary classes are initialised
   * before a thread adds a word: if a {@link StackOverflowError} ends the initialiser of a class,
   * it stays unusable.
   */
  static void prepare() {
    if (prepared) {
      return;
    }
    try (Memory memory = Memory.ofLongs(2)) {
      DeviceLongs bump = DeviceLongs.of(memory);
      int _ = TrieEdges.claim(TrieEdges.EMPTY, DeviceInts.of(memory), 2, 1, bump, 1);
    }
    prepared = true;
  }

  /**
   * Adds the words of a text, or none of them: no word is counted before all have nodes.
   *
   * @return whether there was capacity for all; if not, nothing was counted
   */
  static boolean addText(TrieNodes nodes, byte[] text) {
    int[] found = new int[FEW_WORDS];
    int words = 0;
    int at = 0;
    while (at < text.length) {
      long letter = nodes.alphabet().letterAt(text, at);
      if (Letter.begins(letter)) {
        found = words < found.length ? found : Arrays.copyOf(found, 2 * words);
        at = find(nodes, text, at, found, words);
        if (found[words] < 0) {
          return false;
        }
        words++;
      } else {
        at += Letter.bytes(letter);
      }
    }
    for (int word = 0; word < words; word++) {
      count(nodes, found[word], 1);
    }
    return true;
  }

  /**
   * Finds the node of the word that begins at a position.
   *
   * @param into gets the node, which is made if necessary; negative if there was no capacity for it
   * @return the end of the word
   */
  private static int find(TrieNodes nodes, byte[] text, int begin, int[] into, int index) {
    int node = TrieLayout.ROOT;
    int at = begin;
    long letter = nodes.alphabet().letterAt(text, at);
    while (node >= 0 && Letter.steps(letter) != 0) {
      for (int rest = Letter.steps(letter); node >= 0 && rest != 0; rest >>= Letter.STEP_BITS) {
        node = through(nodes, node, Letter.step(rest));
      }
      at += Letter.bytes(letter);
      letter = at < text.length ? nodes.alphabet().letterAt(text, at) : 0;
    }
    into[index] = node;
    return at;
  }

  /**
   * Adds a word a number of times.
   *
   * @param path edges that lead to it from the root
   * @return whether there was capacity for it; if not, nothing was counted
   */
  static boolean addWord(TrieNodes nodes, byte[] path, long times) {
    int node = TrieLayout.ROOT;
    for (int at = 0; at < path.length && node >= 0; at++) {
      node = child(nodes, node, path[at]);
    }
    if (node >= 0) {
      count(nodes, node, times);
    }
    return node >= 0;
  }

  /** Counts the word that ends in a node. */
  static void count(TrieNodes nodes, int node, long times) {
    // relaxed: a thread that sees a count need not see other writes of the thread that added to it.
    long _ = nodes.counts().fetchAddRelaxed(TrieLayout.count(node, nodes.nodeShift()), times);
  }

  /**
   * Returns the node after a step, which is made if necessary; negative if there was no capacity
   * for it.
   */
  static int through(TrieNodes nodes, int node, int step) {
    NodeLayout layout = nodes.nodeSize().layout();
    int child = child(nodes, node, layout.first(step));
    return layout.isSplit() && child > 0 ? child(nodes, child, layout.second(step)) : child;
  }

  /**
   * Returns the child along an edge, which is made if necessary; negative if there was no capacity
   * for it.
   */
  static int child(TrieNodes nodes, int node, int number) {
    long edge = TrieLayout.edge(node, nodes.nodeShift(), number);
    // acquire: pairs with the release in claim().
    int child = nodes.edges().loadAcquire(edge);
    boolean interrupted = false;
    if (child <= 0) {
      child = claim(nodes, edge, child);
      while (child == TrieEdges.RESERVED) {
        // Only an interrupt ends the wait for the publishing thread; it is restored later.
        interrupted |= Thread.interrupted();
        child = claim(nodes, edge, child);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return child;
  }

  private static int claim(TrieNodes nodes, long edge, int seen) {
    return TrieEdges.claim(
        seen, nodes.edges(), edge, nodes.capacity(), nodes.bump(), Long.MAX_VALUE);
  }
}
