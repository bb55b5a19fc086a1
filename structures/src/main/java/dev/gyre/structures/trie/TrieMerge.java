package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;

/** Adds the words of one trie to another that nobody else changes. */
final class TrieMerge {

  private TrieMerge() {}

  /**
   * Refuses what cannot be added, before anything is.
   *
   * @throws StructureException saying why
   */
  static void requireMergeable(TrieNodes to, TrieNodes from) {
    if (to.alphabet() != from.alphabet()) {
      throw new StructureException("word trie: tries of different alphabets cannot be merged");
    }
    // No count can be more than that of all words.
    try {
      long _ = Math.addExact(total(to), total(from));
    } catch (ArithmeticException e) {
      throw new StructureException("word trie: the words of both are more than 2^63 - 1", e);
    }
  }

  private static long total(TrieNodes nodes) {
    long sum = 0;
    for (long node = 1; node < nodes.size(); node++) {
      sum = Math.addExact(sum, nodes.count((int) node));
    }
    return sum;
  }

  /** Adds the words that were found so often at least. */
  static void add(TrieNodes to, TrieNodes from, long minCount) {
    TrieWalk walk = new TrieWalk(from, new byte[0], TrieLayout.ROOT);
    while (walk.next()) {
      if (walk.count() >= minCount) {
        byte[] steps = walk.steps();
        while (!TrieAdder.addWord(to, steps, walk.count())) {
          to.grow();
        }
      }
    }
  }
}
