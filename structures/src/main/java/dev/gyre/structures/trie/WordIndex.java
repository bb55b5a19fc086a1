package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.WordKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where the words of a trie end, by their first steps: a table in which a word takes one look,
 * rather than one for each letter, of which each waits for the one before.
 *
 * <p>A key is that of {@link WordKey}, but of steps, which letters that are none of ASCII have more
 * of. There is one for each word that is no longer, and one for each node that as many steps lead
 * to as a key has room for. Immutable.
 */
final class WordIndex {

  /** Most bytes of the heap for each node, while this is made. */
  static final int NODE_BYTES = 4 * Long.BYTES;

  /** Nodes that are read at a time. */
  private static final int BLOCK_NODES = 1 << 9;

  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  private final long[] keys;
  private final int[] nodes;
  private final int shift;

  private WordIndex(int words) {
    // Half are free at least.
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(words * 2 + 1);
    this.keys = new long[1 << bits];
    this.nodes = new int[1 << bits];
    this.shift = Long.SIZE - bits;
  }

  /** The index of nodes that are made, which must stay; more may be made meanwhile. */
  static WordIndex of(TriePool pool, int made) {
    long[] keys = keys(pool, made);
    int words = 0;
    for (int node = 1; node < made; node++) {
      if (isFull(keys[node]) || (keys[node] != 0 && pool.count(node) > 0)) {
        words++;
      } else {
        keys[node] = 0;
      }
    }
    WordIndex index = new WordIndex(words);
    for (int node = 1; node < made; node++) {
      if (keys[node] != 0) {
        index.add(keys[node], node);
      }
    }
    return index;
  }

  /** The key of each node that one leads to; of others, 0. A child is made after its parent. */
  private static long[] keys(TriePool pool, int made) {
    int nodeLongs = (int) (TrieLayout.nodeBytes(pool.nodeShift()) / Long.BYTES);
    long[] block = new long[BLOCK_NODES * nodeLongs];
    long[] keys = new long[made];
    for (int from = 0; from < made; from += BLOCK_NODES) {
      int to = Math.min(made, from + BLOCK_NODES);
      // plain: a hint, as in TriePool.pairs. A child that is missed has no key.
      MemorySegment.copy(
          pool.memory().segment(),
          ValueLayout.JAVA_LONG,
          from * TrieLayout.nodeBytes(pool.nodeShift()),
          block,
          0,
          (to - from) * nodeLongs);
      for (int node = from; node < to; node++) {
        if (node == TrieLayout.ROOT || (keys[node] != 0 && !isFull(keys[node]))) {
          giveKeys(keys, keys[node], block, (node - from) * nodeLongs, nodeLongs - 1);
        }
      }
    }
    return keys;
  }

  private static void giveKeys(long[] keys, long key, long[] edges, int from, int pairs) {
    int at = length(key) * Letter.STEP_BITS;
    for (int i = 0; i < pairs; i++) {
      long pair = edges[from + i];
      if (pair != 0) {
        giveKey(keys, (int) pair, key | ((2L * i + 1) << at));
        giveKey(keys, (int) (pair >> Integer.SIZE), key | ((2L * i + 2) << at));
      }
    }
  }

  private static void giveKey(long[] keys, int child, long key) {
    if (child > 0 && child < keys.length) {
      keys[child] = key;
    }
  }

  /** Number of steps of a key. */
  private static int length(long key) {
    return Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(key), Letter.STEP_BITS);
  }

  private static boolean isFull(long key) {
    return length(key) == WordKey.LETTERS;
  }

  private void add(long key, int node) {
    int at = (int) (hash(key) >>> shift);
    while (keys[at] != 0) {
      at = (at + 1) & (keys.length - 1);
    }
    keys[at] = key;
    nodes[at] = node;
  }

  /** Bits of a key, of which the highest are the best. */
  static long hash(long key) {
    return key * HASH;
  }

  /** The node that a key leads to, or the root if there is none. */
  int find(long key) {
    int at = (int) (hash(key) >>> shift);
    long there = keys[at];
    while (there != key && there != 0) {
      at = (at + 1) & (keys.length - 1);
      there = keys[at];
    }
    return there == 0 ? TrieLayout.ROOT : nodes[at];
  }
}
