package dev.gyre.structures.trie;

import java.util.Arrays;

/**
 * Walk through the words of a trie that begin with a prefix, in byte order, without recursion,
 * because a word may have millions of letters.
 *
 * <p>The pool of nodes must not be replaced meanwhile. Words that are added meanwhile may or may
 * not be included. The count of a word is its count when the walk reached it.
 */
final class TrieWalk {

  private final TrieNodes trie;
  private final TriePool pool;
  private final long[] buffer;
  private final int prefixLength;
  private final int from;
  private final long made;
  // Path from the node of the prefix: nodes, and the remaining pairs of edges of each, with whether
  // the second edge of the next pair is the next.
  private int[] nodes = new int[32];
  private int[] pairs = new int[32];
  private boolean[] second = new boolean[32];
  // Edges from the root, beginning with the edges of the prefix.
  private byte[] path;
  private int depth;
  private boolean begun;
  private long count;
  private long visited;

  /**
   * Creates a walk from a node.
   *
   * @param prefix edges that lead to it from the root
   * @param made number of nodes for the walk: later ones are not visited
   */
  TrieWalk(TrieNodes trie, byte[] prefix, int from, long made) {
    this.trie = trie;
    this.pool = trie.pool();
    this.buffer = new long[pool.nodeLongs()];
    this.prefixLength = prefix.length;
    this.from = from;
    this.made = made;
    this.path = Arrays.copyOf(prefix, prefix.length + nodes.length);
    nodes[0] = from;
  }

  /** Returns the node where the walk begins. */
  int from() {
    return from;
  }

  /** Moves to the next node with a word; returns false at the end. */
  boolean next() {
    boolean found = false;
    if (!begun) {
      begun = true;
      pairs[0] = pool.pairs(from, buffer);
      found = prefixLength > 0 && meet(nodes[0]);
    }
    while (!found && depth >= 0) {
      if (pairs[depth] == 0) {
        depth--;
      } else {
        found = nextEdge();
      }
    }
    return found;
  }

  /** Moves along the next edge from the end of the path; returns whether that leads to a word. */
  private boolean nextEdge() {
    int edge = 2 * Integer.numberOfTrailingZeros(pairs[depth]);
    if (second[depth]) {
      edge++;
      pairs[depth] &= pairs[depth] - 1;
    }
    second[depth] = !second[depth];
    int child = pool.child(nodes[depth], edge);
    boolean there = child != 0 && child < made;
    if (there) {
      descend(child, edge);
    }
    return there && meet(child);
  }

  /**
   * Begins after a word, which may have been removed.
   *
   * @param last its edges from the root, which begin with the edges of the prefix
   */
  void goBehind(byte[] last) {
    begun = true;
    pairs[0] = pool.pairs(from, buffer);
    boolean there = true;
    for (int at = prefixLength; there && at < last.length; at++) {
      int edge = last[at];
      int pair = edge / 2;
      // What remains after the edge: the pairs after its own, and the other half of its pair.
      boolean half = edge % 2 == 0;
      pairs[depth] &= -1 << pair << (half ? 0 : 1);
      second[depth] = half && (pairs[depth] & 1 << pair) != 0;
      int child = pool.child(nodes[depth], edge);
      there = child != 0 && child < made;
      if (there) {
        descend(child, edge);
      }
    }
  }

  private boolean meet(int node) {
    visited++;
    count = pool.count(node);
    return count > 0;
  }

  private void descend(int child, int edge) {
    if (depth + 1 == nodes.length) {
      int length = nodes.length + (nodes.length >> 1);
      nodes = Arrays.copyOf(nodes, length);
      pairs = Arrays.copyOf(pairs, length);
      second = Arrays.copyOf(second, length);
      path = Arrays.copyOf(path, prefixLength + length);
    }
    path[prefixLength + depth] = (byte) edge;
    depth++;
    nodes[depth] = child;
    pairs[depth] = pool.pairs(child, buffer);
    second[depth] = false;
  }

  /** Returns the edges from the root to the present word. */
  byte[] path() {
    return Arrays.copyOf(path, prefixLength + depth);
  }

  /** Returns the number of edges from the root to the present word. */
  int steps() {
    return prefixLength + depth;
  }

  /** Returns the number of nodes that the walk has visited, except for the first. */
  long visited() {
    return visited;
  }

  /** Returns the count of the present word. */
  long count() {
    return count;
  }

  /** Returns the present word with its count. */
  WordCount wordCount() {
    return new WordCount(trie.word(path()), count);
  }
}
