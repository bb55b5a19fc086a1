package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.trie.NodeLayout;
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

  /** Says where nodes go. */
  @FunctionalInterface
  interface Placing {

    /**
     * The place of a child; less than 0 if that and what is behind it goes nowhere.
     *
     * @param place of the node
     * @param step that leads from the node to the child
     */
    int place(int node, int place, int step, int child);
  }

  /**
   * Adds all words, or none of them: none is counted before all have nodes.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is no room for them; no count is
   *     another one then
   */
  static void addAll(TrieNodes to, TrieNodes from) {
    addAll(to, from, (_, place, step, _) -> through(to, place, step));
  }

  /** Adds all words, where a placing has them; as {@link #addAll(TrieNodes, TrieNodes)}. */
  static void addAll(TrieNodes to, TrieNodes from, Placing placing) {
    TriePool pool = from.pool();
    long size = from.size();
    // Where each node is in the other trie; less than 0 if it is nowhere, as between two letters.
    try (Memory memory = Memory.ofInts(size)) {
      memory.segment().fill((byte) -1);
      ThreadInts places = ThreadInts.of(memory);
      places.set(TrieLayout.ROOT, TrieLayout.ROOT);
      // A child is made after its parent, and so comes after it.
      for (long node = 0; node < size; node++) {
        int place = places.get(node);
        for (int step = 0; place >= 0 && step < from.alphabet().radix(); step++) {
          int child = pool.through((int) node, step);
          if (child > 0) {
            places.set(child, placing.place((int) node, place, step, child));
          }
        }
      }
      for (long node = 1; node < size; node++) {
        long count = from.count((int) node);
        if (count > 0) {
          TrieAdder.count(to, places.get(node), count);
        }
      }
    }
  }

  /** The node behind a step, made if need be. */
  static int through(TrieNodes to, int node, int step) {
    NodeLayout layout = to.nodeSize().layout();
    int child = made(to, node, layout.first(step));
    return layout.isSplit() ? made(to, child, layout.second(step)) : child;
  }

  /** The child along an edge, made if need be. */
  private static int made(TrieNodes to, int node, int edge) {
    int child = TrieAdder.child(to, node, edge);
    while (child < 0) {
      to.grow();
      child = TrieAdder.child(to, node, edge);
    }
    return child;
  }

  /** Adds the words that were found so often at least, to a trie of the same that is not in use. */
  static void retain(TrieNodes to, TrieNodes from, long minCount) {
    TrieWalk walk = new TrieWalk(from, new byte[0], TrieLayout.ROOT, from.size());
    while (walk.next()) {
      if (walk.count() >= minCount) {
        while (!TrieAdder.addWord(to, walk.path(), walk.count())) {
          to.grow();
        }
      }
    }
  }
}
