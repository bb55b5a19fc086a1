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

  /**
   * Adds all words, or none of them: none is counted before all have nodes.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is no room for them; no count is
   *     another one then
   */
  static void addAll(TrieNodes to, TrieNodes from) {
    if (to.nodeSize() == from.nodeSize()) {
      addNodes(to, from);
    } else {
      addWords(to, from, false);
      addWords(to, from, true);
    }
  }

  /** Adds all words, word by word, or only makes nodes for them. */
  private static void addWords(TrieNodes to, TrieNodes from, boolean counted) {
    TrieWalk walk = new TrieWalk(from, new byte[0], TrieLayout.ROOT, from.size());
    while (walk.next()) {
      byte[] path = to.nodeSize().edges(from.nodeSize().steps(walk.path()));
      add(to, path, counted ? walk.count() : 0);
    }
  }

  private static void add(TrieNodes to, byte[] path, long times) {
    while (!TrieAdder.addWord(to, path, times)) {
      to.grow();
    }
  }

  private static void addNodes(TrieNodes to, TrieNodes from) {
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
      for (int edge = 0; edge < pool.mostChildren(); edge++) {
        int child = pool.child((int) node, edge);
        if (child > 0) {
          places.set(child, made(to, places.get(node), edge));
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
        add(to, walk.path(), walk.count());
      }
    }
  }
}
