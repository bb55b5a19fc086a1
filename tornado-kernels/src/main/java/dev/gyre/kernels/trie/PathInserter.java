package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;

/**
 * The edges of a trie as workers of the JVM go along them, by the protocol of {@link TrieEdges},
 * but for one thing: where a word leaves what is there, the nodes of all its other letters are made
 * by who wins the one edge at which it does. All are taken from the pool at once, for which workers
 * wait for each other, and are joined before the edge that leads to the first is published.
 *
 * <p>So an edge is loaded with acquire, which pairs with the release of the first edge of such a
 * branch: what is behind a node was written before its number was. Devices, where an acquire
 * empties the cache, make nodes one by one.
 */
final class PathInserter {

  private final TrieEdges trie;
  private final DeviceInts edges;
  private final NodeLayout layout;

  /** 1 where a step goes along two edges, else 0. */
  private final int split;

  PathInserter(TrieEdges trie) {
    this.trie = trie;
    this.edges = trie.edges();
    this.layout = trie.layout();
    this.split = layout.isSplit() ? 1 : 0;
  }

  /** The node of the word that a key stands for, made if need be; or RESERVED or OVERFLOW. */
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
   * The node that the letters of a text lead to from another node, made if need be; or RESERVED or
   * OVERFLOW.
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
    // relaxed: only that one thread wins matters; nothing is read that another wrote.
    return edges.compareAndExchangeRelaxed(edge, seen, TrieEdges.RESERVED) == seen;
  }

  /**
   * Makes the nodes of a word from an edge on that the caller has claimed.
   *
   * @param from number of the next edge of the word
   * @param end number of its edges
   */
  private int branch(long edge, long word, int shift, int from, int end) {
    int nodes = end - from + 1;
    // relaxed: numbers that no other thread gets; all bits of their nodes are 0 already.
    long first = trie.bump().fetchAddRelaxed(0, nodes);
    for (int at = from; at < end && first + at - from < trie.capacity(); at++) {
      long parent = first + at - from;
      // plain: nobody knows the parent before the release below.
      edges.set(edge((int) parent, word, shift, at), numbered(parent + 1));
    }
    // release: pairs with the acquire of whoever goes along it.
    edges.storeRelease(edge, numbered(first));
    edges.wakeAll(edge);
    return numbered(first + nodes - 1);
  }

  /** A node of that number, or OVERFLOW where there is no room for it. */
  private int numbered(long node) {
    return node < trie.capacity() ? (int) node : TrieEdges.OVERFLOW;
  }

  /** The edge of a word, by its number, behind a node. */
  private long edge(int node, long word, int shift, int number) {
    int step = Letter.step((int) (word >> ((number >> split) * shift)));
    return TrieLayout.edge(
        node, layout.shift(), (number & split) == 0 ? layout.first(step) : layout.second(step));
  }
}
