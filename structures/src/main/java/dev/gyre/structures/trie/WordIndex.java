package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.WordKey;

/**
 * Index of the ends of words by their first steps: a table in which a word takes one access. A path
 * of edges takes an access for each letter, each of which waits for the previous one.
 *
 * <p>A key is like a {@link WordKey}, but of steps, of which letters outside ASCII have several.
 * There is an entry for each word that fits in a key, and one for each node at the depth of a full
 * key. Immutable.
 */
final class WordIndex {

  /** Largest heap use per node while the index is made, in bytes. */
  static final int NODE_BYTES = 5 * Long.BYTES;

  /** Number of nodes that are read at a time. */
  private static final int BLOCK_NODES = 1 << 9;

  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;

  /** Stands for an entry that does not exist. */
  static final long NONE = 0;

  /** Stands for a count that does not fit. */
  private static final int UNKNOWN = -1;

  /** Keys, each followed by its entry, so that both are in one cache line. */
  private final long[] table;

  private final int shift;

  private WordIndex(int words) {
    // At least half are free.
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(words * 2 + 1);
    this.table = new long[2 << bits];
    this.shift = Long.SIZE - bits;
  }

  /**
   * Returns the index of the nodes that are made. The pool must not be replaced meanwhile; more
   * nodes may be made.
   */
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
   * Returns the key of each node that has one, otherwise 0. A child is made after its parent. A
   * node within a step has the key of the first step through it, as a negative number.
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

  /** Sets the keys of the children of a node, which rise by a constant from edge to edge. */
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

  /** Returns the number of steps of a key. */
  private static int length(long key) {
    return Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(key), Letter.STEP_BITS);
  }

  private static boolean isFull(long key) {
    return length(key) == WordKey.LETTERS;
  }

  private static long entry(int node, int count) {
    return node | ((long) count << Integer.SIZE);
  }

  /** Returns the node of an entry; the root for NONE. */
  static int node(long entry) {
    return (int) entry;
  }

  /**
   * Returns the count of the word that ends there, when the index was made; negative if it does not
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

  /** Returns a hash of a key, whose highest bits are the best. */
  static long hash(long key) {
    return key * HASH;
  }

  /** Returns the entry of a key, or {@link #NONE}. */
  long find(long key) {
    return table[place(key) + 1];
  }

  /** Returns the place of a key, or a free place for it. */
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
