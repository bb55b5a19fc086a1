package dev.gyre.kernels.trie;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Nodes of words that workers of the JVM have found letter by letter. Each worker reads what all
 * have found, and finds again what its own cache has lost. The table is valid as long as nodes keep
 * their numbers.
 *
 * <p><b>Layout.</b> A word and its node are one long, so that an entry is always seen as a whole,
 * and no claim is needed. A bijection mixes the key. Some of its bits select a pair of entries, and
 * an entry contains all others, so that different words have different entries. A new entry
 * replaces an old one. Two threads that write to a pair at the same time may lose a word, or store
 * it twice.
 *
 * <p><b>Order.</b> A thread with the number of a node may continue along edges that the creator of
 * a {@linkplain PathInserter branch} wrote by plain stores. The thread that stores the number
 * reached the node by an acquire that pairs with the release of that branch. It stores the number
 * with release and readers load it with acquire, so that they see these edges too.
 *
 * <p><b>Limits.</b> The bits of a place that an entry need not contain, and four bits that no key
 * has, are used for the number of the node. Nodes with larger numbers and words without a key are
 * not stored.
 */
final class SharedWordCache {

  /** Number of bits of a key whose letters are side by side. */
  private static final int KEY_BITS = WordKey.LETTERS * Letter.STEP_BITS;

  private static final long KEYS = (1L << KEY_BITS) - 1;

  /** Odd multiplier, so that no two keys have the same lowest bits of the product. */
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);

  /** Stands for an unknown node. */
  static final int NONE = 0;

  private final long[] entries;
  private final int pairShift;
  private final int nodeBits;

  /**
   * Creates an empty table.
   *
   * @param words its capacity: a power of two, at least 2
   */
  SharedWordCache(int words) {
    this.entries = new long[words];
    this.pairShift = KEY_BITS - Integer.numberOfTrailingZeros(words / 2);
    this.nodeBits = Long.SIZE - pairShift;
  }

  /** Returns the capacity in words. */
  int words() {
    return entries.length;
  }

  /** Returns a larger table with the same words. No thread adds words meanwhile. */
  SharedWordCache grown(int words) {
    SharedWordCache more = new SharedWordCache(words);
    for (int at = entries.length - 1; at >= 0; at--) {
      long entry = entries[at];
      if (entry != 0) {
        long mixed = (long) (at >> 1) << pairShift | entry >>> nodeBits;
        more.put(mixed, (int) (entry & ~(-1L << nodeBits)));
      }
    }
    return more;
  }

  private static long mixed(long key) {
    long word = (key & WordKey.PACKED) != 0 ? key : AsciiWindows.pack(key);
    return (word * MIX) & KEYS;
  }

  private int pair(long mixed) {
    return (int) (mixed >>> pairShift) << 1;
  }

  /** Returns the node of the word of a key, or {@link #NONE} if it is unknown. */
  int node(long key) {
    long mixed = mixed(key);
    int pair = pair(mixed);
    long word = mixed << nodeBits;
    // acquire: pairs with the release in add(); what the writer saw of the node is visible here.
    long entry = (long) ENTRY.getAcquire(entries, pair) ^ word;
    if (entry >>> nodeBits != 0) {
      // acquire: as above.
      entry = (long) ENTRY.getAcquire(entries, pair + 1) ^ word;
    }
    return entry >>> nodeBits == 0 ? (int) entry : NONE;
  }

  /** Adds the node of a word, as the first of its pair. */
  void add(long key, int node) {
    if (node >>> nodeBits == 0) {
      put(mixed(key), node);
    }
  }

  private void put(long mixed, int node) {
    int pair = pair(mixed);
    // release, of another thread's word: pairs with the acquire in node(); acquire: passes on what
    // that thread saw.
    ENTRY.setRelease(entries, pair + 1, (long) ENTRY.getAcquire(entries, pair));
    // release: pairs with the acquire in node(), and with that above.
    ENTRY.setRelease(entries, pair, mixed << nodeBits | node);
  }
}
