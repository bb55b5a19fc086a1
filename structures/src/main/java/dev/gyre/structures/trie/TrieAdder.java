package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Adds words by the calling thread, beside any number of others that do so too and that read, with
 * the accesses of {@link TrieEdges}. Nobody may grow the nodes meanwhile.
 */
final class TrieAdder {

  private TrieAdder() {}

  /**
   * Adds the words of a text from a position on.
   *
   * @return the position of the first word that there was no room for; the length if none
   */
  static int addText(TrieNodes nodes, byte[] text, int from) {
    Alphabet alphabet = nodes.alphabet();
    int at = from;
    boolean room = true;
    while (room && at < text.length) {
      int end = at;
      while (end < text.length && alphabet.letterOf(text[end] & 0xff) != Alphabet.NO_LETTER) {
        end++;
      }
      room = end == at || addWord(nodes, text, at, end, 1);
      // On behind the separator that ended the word.
      at = room ? Math.min(end + 1, text.length) : at;
    }
    return at;
  }

  /**
   * Adds a word a number of times.
   *
   * @return whether there was room for it; if not, nothing was counted
   */
  static boolean addWord(TrieNodes nodes, byte[] text, int begin, int end, long times) {
    int node = TrieLayout.ROOT;
    for (int at = begin; at < end && node >= 0; at++) {
      node = step(nodes, node, nodes.alphabet().letterOf(text[at] & 0xff));
    }
    if (node >= 0) {
      // relaxed: who sees a count need see nothing else of the one who added to it.
      nodes.counts().fetchAddRelaxed(TrieLayout.count(node, nodes.nodeShift()), times);
    }
    return node >= 0;
  }

  /** The child along an edge, made if need be; negative where there was no room for it. */
  private static int step(TrieNodes nodes, int node, int letter) {
    long edge = TrieLayout.edge(node, nodes.nodeShift(), letter);
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
