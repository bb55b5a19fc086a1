package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Adds words by the calling thread, beside any number of others that do so too and that read, with
 * the accesses of {@link TrieEdges}. Nobody may grow the nodes meanwhile.
 */
final class TrieAdder {

  private static final int NO_ROOM = -1;

  private TrieAdder() {}

  /**
   * Adds the words of a text from a position on.
   *
   * @return the position of the first word that there was no room for; the length if none
   */
  static int addText(TrieNodes nodes, byte[] text, int from) {
    int at = from;
    boolean room = true;
    while (room && at < text.length) {
      long letter = nodes.alphabet().letterAt(text, at);
      int end = at + Letter.bytes(letter);
      if (Letter.begins(letter)) {
        end = addWord(nodes, text, at);
        room = end != NO_ROOM;
      }
      at = room ? end : at;
    }
    return at;
  }

  /** Adds the word that begins at a position; returns its end, or that there was no room. */
  private static int addWord(TrieNodes nodes, byte[] text, int begin) {
    int node = TrieLayout.ROOT;
    int at = begin;
    long letter = nodes.alphabet().letterAt(text, at);
    while (node >= 0 && Letter.steps(letter) != 0) {
      for (int rest = Letter.steps(letter); node >= 0 && rest != 0; rest >>= Letter.STEP_BITS) {
        node = step(nodes, node, Letter.edge(rest));
      }
      at += Letter.bytes(letter);
      letter = at < text.length ? nodes.alphabet().letterAt(text, at) : 0;
    }
    return count(nodes, node, 1) ? at : NO_ROOM;
  }

  /**
   * Adds a word a number of times.
   *
   * @return whether there was room for it; if not, nothing was counted
   */
  static boolean addWord(TrieNodes nodes, byte[] steps, long times) {
    int node = TrieLayout.ROOT;
    for (int at = 0; at < steps.length && node >= 0; at++) {
      node = step(nodes, node, steps[at]);
    }
    return count(nodes, node, times);
  }

  private static boolean count(TrieNodes nodes, int node, long times) {
    if (node >= 0) {
      // relaxed: who sees a count need see nothing else of the one who added to it.
      nodes.counts().fetchAddRelaxed(TrieLayout.count(node, nodes.nodeShift()), times);
    }
    return node >= 0;
  }

  /** The child along an edge, made if need be; negative where there was no room for it. */
  private static int step(TrieNodes nodes, int node, int step) {
    long edge = TrieLayout.edge(node, nodes.nodeShift(), step);
    // acquire: pairs with the release in claim().
    int child = nodes.edges().loadAcquire(edge);
    boolean interrupted = false;
    if (child <= 0) {
      child = claim(nodes, edge, child);
      while (child == TrieEdges.RESERVED) {
        // Only an interrupt ends the wait for one who is about to publish; it is kept for later.
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
