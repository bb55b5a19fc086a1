package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.WordKey;

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
  static final int NODE_BYTES = 5 * Long.BYTES;

  /** Nodes that are read at a time. */
  private static final int BLOCK_NODES = 1 << 9;

  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  /** In place of an entry: there is none. */
  static final long NONE = 0;

  /** In place of a count that does not fit. */
  private static final int UNKNOWN = -1;

  /** Each key, and behind it the entry, so that both are in one line of the cache. */
  private final long[] table;

  private final int shift;

  private WordIndex(int words) {
    // Half are free at least.
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(words * 2 + 1);
    this.table = new long[2 << bits];
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
        long count = pool.count(node);
        index.add(keys[node], entry(node, count <= Integer.MAX_VALUE ? (int) count : UNKNOWN));
      }
    }
    return index;
  }

  /**
   * The key of each node that one leads to; of others, 0. A child is made after its parent. In the
   * middle of a step it is that of the first step that goes there, and less than 0.
   */
  private static long[] keys(TriePool pool, int made) {
    int nodeLongs = pool.nodeLongs();
    long[] block = new long[BLOCK_NODES * nodeLongs];
    long[] keys = new long[made];
    for (int from = 0; from < made; from += BLOCK_NODES) {
      int to = Math.min(made, from + BLOCK_NODES);
      // A child that is missed has no key.
      pool.read(from, to, block);
      for (int node = from; node < to; node++) {
        if (node == TrieLayout.ROOT || (keys[node] != 0 && !isFull(keys[node]))) {
          giveKeys(keys, keys[node], pool.layout(), block, (node - from) * nodeLongs);
        }
      }
    }
    return keys;
  }

  /** Gives the children of a node their keys, which go up by as much from edge to edge. */
  private static void giveKeys(long[] keys, long key, NodeLayout layout, long[] edges, int from) {
    int pairs = (1 << layout.shift()) / 2 - 1;
    boolean within = key < 0;
    long steps = key & Long.MAX_VALUE;
    int at = (length(steps) - (within ? 1 : 0)) * Letter.STEP_BITS;
    long first = within ? steps : steps | (1L << at);
    long each = (within ? 1L : layout.step(1, 0)) << at;
    long halfway = layout.isSplit() && !within ? Long.MIN_VALUE : 0;
    for (int i = 0; i < pairs; i++) {
      long pair = edges[from + i];
      if (pair != 0) {
        giveKey(keys, (int) pair, halfway | (first + 2L * i * each));
        giveKey(keys, (int) (pair >> Integer.SIZE), halfway | (first + (2L * i + 1) * each));
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

  private static long entry(int node, int count) {
    return node | ((long) count << Integer.SIZE);
  }

  /** The node that a key leads to; the root in place of an entry that there is not. */
  static int node(long entry) {
    return (int) entry;
  }

  /**
   * How often the word was found that ends there, when this was made; negative if that does not
   * fit.
   */
  static int count(long entry) {
    return (int) (entry >> Integer.SIZE);
  }

  private void add(long key, long entry) {
    int at = place(key);
    table[at] = key;
    table[at + 1] = entry;
  }

  /** Bits of a key, of which the highest are the best. */
  static long hash(long key) {
    return key * HASH;
  }

  /** The entry of a key, or {@link #NONE}. */
  long find(long key) {
    return table[place(key) + 1];
  }

  /** Where a key is, or where there is room for it. */
  private int place(long key) {
    int at = 2 * (int) (hash(key) >>> shift);
    long there = table[at];
    while (there != key && there != 0) {
      at = (at + 2) & (table.length - 1);
      there = table[at];
    }
    return at;
  }
}
