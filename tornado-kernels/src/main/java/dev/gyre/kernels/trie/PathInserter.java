package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;

/**
 * Edges of a trie for workers of the JVM.
 *
 * <p><b>Protocol.</b> It follows {@link TrieEdges} with one difference. If a word leaves the
 * existing nodes, the thread that claims the edge there creates the nodes of all remaining letters.
 * It takes them from the pool at once, and joins them before it publishes the edge to the first.
 * Other workers wait for that.
 *
 * <p><b>Order.</b> Therefore an edge is loaded with acquire, which pairs with the release of the
 * first edge of such a branch: the edges of a node were written before its number. On devices an
 * acquire would invalidate the cache, so that they create nodes one by one.
 */
final class PathInserter {

  private final TrieEdges trie;
  private final DeviceInts edges;
  private final NodeLayout layout;

  /** 1 if a step leads along two edges, otherwise 0. */
  private final int split;

  PathInserter(TrieEdges trie) {
    this.trie = trie;
    this.edges = trie.edges();
    this.layout = trie.layout();
    this.split = layout.isSplit() ? 1 : 0;
  }

  /** Returns the node of the word of a key, created if necessary; or RESERVED or OVERFLOW. */
  int node(long key) {
    int shift = WordKey.shift(key);
    long word = key & ~WordKey.PACKED;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(word);
    int end = ((bits + shift - 1) / shift) << split;
    int node = TrieLayout.ROOT;
    for (int at = 0; at < end && node >= 0; at++) {
      long edge = edge(node, word, shift, at);
      // acquire: pairs with the release in branch().
      int seen = edges.loadAcquire(edge);
      if (seen > 0) {
        node = seen;
      } else if (seen != TrieEdges.RESERVED && claim(edge, seen)) {
        return branch(edge, word, shift, at + 1, end);
      } else {
        // acquire: as above.
        node = edges.waitWhileEqualAcquire(edge, TrieEdges.RESERVED, trie.pollLimit());
      }
    }
    return node;
  }

  /**
   * Returns the node to which the letters of a text lead from another node, created if necessary;
   * or RESERVED or OVERFLOW.
   */
  int node(int from, Bytes text, long begin, long end, Letters letters) {
    int node = from;
    long at = begin;
    while (at < end && node >= 0) {
      long letter = letters.letterAt(text, at, end);
      for (int rest = Letter.steps(letter); rest != 0 && node >= 0; rest >>= Letter.STEP_BITS) {
        node = along(node, layout.first(Letter.step(rest)));
        if (layout.isSplit() && node > 0) {
          node = along(node, layout.second(Letter.step(rest)));
        }
      }
      at += Letter.bytes(letter);
    }
    return node;
  }

  private int along(int node, int number) {
    long edge = TrieLayout.edge(node, layout.shift(), number);
    // acquire: pairs with the release in branch().
    int seen = edges.loadAcquire(edge);
    return seen > 0
        ? seen
        : TrieEdges.claim(seen, edges, edge, trie.capacity(), trie.bump(), trie.pollLimit());
  }

  private boolean claim(long edge, int seen) {
    // relaxed: only the uniqueness of the winner matters; nothing is read that another thread
    // wrote.
    return edges.compareAndExchangeRelaxed(edge, seen, TrieEdges.RESERVED) == seen;
  }

  /**
   * Creates the nodes of a word from an edge that the caller has claimed.
   *
   * @param from number of the next edge of the word
   * @param end number of its edges
   */
  private int branch(long edge, long word, int shift, int from, int end) {
    int nodes = end - from + 1;
    // relaxed: allocates numbers; all bits of their nodes are already 0.
    long first = trie.bump().fetchAddRelaxed(0, nodes);
    for (int at = from; at < end && first + at - from < trie.capacity(); at++) {
      long parent = first + at - from;
      // plain: no other thread knows the parent before the release below.
      edges.set(edge((int) parent, word, shift, at), numbered(parent + 1));
    }
    // release: pairs with the acquire of threads that follow the edge.
    edges.storeRelease(edge, numbered(first));
    edges.wakeAll(edge);
    return numbered(first + nodes - 1);
  }

  /** Returns the number of a node, or OVERFLOW if it does not fit. */
  private int numbered(long node) {
    return node < trie.capacity() ? (int) node : TrieEdges.OVERFLOW;
  }

  /** Returns the index of the edge of a word, by its number, at a node. */
  private long edge(int node, long word, int shift, int number) {
    int step = Letter.step((int) (word >> ((number >> split) * shift)));
    return TrieLayout.edge(
        node, layout.shift(), (number & split) == 0 ? layout.first(step) : layout.second(step));
  }
}
