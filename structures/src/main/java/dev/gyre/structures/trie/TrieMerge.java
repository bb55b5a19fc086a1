package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;

/** Adds the words of one trie to another that nobody else changes. */
final class TrieMerge {

  private TrieMerge() {}

  /**
   * Refuses words of another alphabet, before anything is added.
   *
   * @throws StructureException if it is another
   */
  static void requireMergeable(TrieNodes to, TrieNodes from) {
    if (to.alphabet() != from.alphabet()) {
      throw new StructureException("word trie: tries of different alphabets cannot be merged");
    }
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
