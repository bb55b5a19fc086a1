package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
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

  /**
   * Adds all words, or none of them: none is counted before all have nodes.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is no room for them; no count is
   *     another one then
   */
  static void addAll(TrieNodes to, TrieNodes from) {
    // Where each node is in the other trie: for 0, the root, at 0.
    try (Memory memory = Memory.ofInts(from.size())) {
      ThreadInts places = ThreadInts.of(memory);
      makeNodes(to, from, places);
      for (long node = 1; node < from.size(); node++) {
        long count = from.count((int) node);
        if (count > 0) {
          TrieAdder.count(to, places.get(node), count);
        }
      }
    }
  }

  /** A child is made after its parent, and so comes after it. */
  private static void makeNodes(TrieNodes to, TrieNodes from, ThreadInts places) {
    TriePool pool = from.pool();
    for (long node = 0; node < from.size(); node++) {
      for (int step = 0; step < pool.mostChildren(); step++) {
        int child = pool.child((int) node, step);
        if (child > 0) {
          places.set(child, made(to, places.get(node), step));
        }
      }
    }
  }

  /** The child along an edge, made if need be. */
  static int made(TrieNodes to, int node, int step) {
    int child = TrieAdder.child(to, node, step);
    while (child < 0) {
      to.grow();
      child = TrieAdder.child(to, node, step);
    }
    return child;
  }

  /** Adds the words that were found so often at least, to a trie that is not in use yet. */
  static void retain(TrieNodes to, TrieNodes from, long minCount) {
    TrieWalk walk = new TrieWalk(from, new byte[0], TrieLayout.ROOT, from.size());
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
