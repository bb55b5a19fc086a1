package dev.gyre.structures.trie;

import java.util.Arrays;

/**
 * A walk through the words of a trie that begin with a prefix, in byte order, without recursion,
 * since a word may be millions of letters long.
 *
 * <p>The pool of nodes must stay. Words may be added meanwhile: they are met or not. The count of a
 * word is that of when it was met.
 */
final class TrieWalk {

  private final TrieNodes trie;
  private final TriePool pool;
  private final long[] room;
  private final int prefixLength;
  private final int from;
  private final long made;
  // On the way from the node of the prefix: nodes, and pairs of edges of each that are left, with
  // whether the second of the next pair is the next.
  private int[] nodes = new int[32];
  private int[] pairs = new int[32];
  private boolean[] second = new boolean[32];
  // From the root: those of the prefix come first.
  private byte[] path;
  private int depth;
  private boolean begun;
  private long count;

  /**
   * A walk from a node.
   *
   * @param prefix the edges that lead to it from the root
   * @param made how many nodes there are for it: those made later are not met
   */
  TrieWalk(TrieNodes trie, byte[] prefix, int from, long made) {
    this.trie = trie;
    this.pool = trie.pool();
    this.room = new long[pool.nodeLongs()];
    this.prefixLength = prefix.length;
    this.from = from;
    this.made = made;
    this.path = Arrays.copyOf(prefix, prefix.length + nodes.length);
    nodes[0] = from;
  }

  /** Where the walk begins. */
  int from() {
    return from;
  }

  /** Goes on to the next node whose word was found; false if there is none. */
  boolean next() {
    boolean found = false;
    if (!begun) {
      begun = true;
      pairs[0] = pool.pairs(from, room);
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

  /** Goes along the next edge from the end of the path; returns whether that comes to a word. */
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
   * Begins behind a word, which need not be there any more.
   *
   * @param last its edges from the root, the first of them those of the prefix
   */
  void goBehind(byte[] last) {
    begun = true;
    pairs[0] = pool.pairs(from, room);
    boolean there = true;
    for (int at = prefixLength; there && at < last.length; at++) {
      int edge = last[at];
      int pair = edge / 2;
      // What is left behind the edge: the pairs after its own, and the other half of that.
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
    pairs[depth] = pool.pairs(child, room);
    second[depth] = false;
  }

  /** The edges that lead from the root to the word that the walk is at. */
  byte[] path() {
    return Arrays.copyOf(path, prefixLength + depth);
  }

  /** How often that word was found. */
  long count() {
    return count;
  }

  /** Both. */
  WordCount wordCount() {
    return new WordCount(trie.word(path()), count);
  }
}
