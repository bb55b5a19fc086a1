package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;

/** Merge of the words of one trie into another that no other thread changes. */
final class TrieMerge {

  private TrieMerge() {}

  /**
   * Throws if two tries have different alphabets, before anything is added.
   *
   * @throws StructureException if they differ
   */
  static void requireMergeable(TrieNodes to, TrieNodes from) {
    if (to.alphabet() != from.alphabet()) {
      throw new StructureException("word trie: tries of different alphabets cannot be merged");
    }
  }

  /** Places of nodes in the other trie. */
  @FunctionalInterface
  interface Placing {

    /**
     * Returns the place of a child; negative if it and its descendants have none.
     *
     * @param place place of the node
     * @param step step from the node to the child
     */
    int place(int node, int place, int step, int child);
  }

  /**
   * Adds all words, or none of them: no word is counted before all have nodes.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for them is not available; all
   *     counts are then unchanged
   */
  static void addAll(TrieNodes to, TrieNodes from) {
    boolean alike = to.nodeSize() == from.nodeSize();
    addAll(
        to,
        from,
        alike,
        alike
            ? (_, place, edge, _) -> made(to, place, edge)
            : (_, place, step, _) -> through(to, place, step));
  }

  /**
   * Adds all words, with nodes at given places, as {@link #addAll(TrieNodes, TrieNodes)} does.
   *
   * @param byEdges whether the placing takes edges instead of steps
   */
  static void addAll(TrieNodes to, TrieNodes from, boolean byEdges, Placing placing) {
    TriePool pool = from.pool();
    long size = from.size();
    // Place of each node in the other trie; negative if it has none, for example between two
    // letters.
    try (Memory memory = Memory.ofInts(size)) {
      memory.segment().fill((byte) -1);
      ThreadInts places = ThreadInts.of(memory);
      places.set(TrieLayout.ROOT, TrieLayout.ROOT);
      // A child is made after its parent, and so comes after it.
      for (long at = 0; at < size; at++) {
        int node = (int) at;
        int place = places.get(node);
        if (place >= 0) {
          pool.forEachStep(
              node,
              byEdges,
              (step, child) -> places.set(child, placing.place(node, place, step, child)));
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

  /** Returns the node after a step, which is made if necessary. */
  static int through(TrieNodes to, int node, int step) {
    NodeLayout layout = to.nodeSize().layout();
    int child = made(to, node, layout.first(step));
    return layout.isSplit() ? made(to, child, layout.second(step)) : child;
  }

  /** Returns the child along an edge, which is made if necessary. */
  private static int made(TrieNodes to, int node, int edge) {
    int child = TrieAdder.child(to, node, edge);
    while (child < 0) {
      to.grow();
      child = TrieAdder.child(to, node, edge);
    }
    return child;
  }

  /** Adds the words with at least a minimum count to an equal trie that is not in use. */
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
