package dev.gyre.kernels.trie;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which nodes words have that workers of the JVM went along letter by letter: what one has learnt,
 * all know, and each knows what its cache has lost. It is kept as the caches are: while nodes have
 * the numbers that they had.
 *
 * <p>A word and its node are one long, so that nothing is seen of an entry but the whole of it, and
 * no claim is needed. A key is mixed, one to one; some of its bits say which pair of entries a word
 * may be in, and an entry has all others, so that no two words have the same one. What is new
 * drives out what was there: two threads that write to a pair at a time may lose a word, or have it
 * twice.
 *
 * <p>A thread that has the number of a node may go on from there, along edges that the maker of a
 * {@linkplain PathInserter branch} through it wrote plainly. The thread that stores the number came
 * to the node by an acquire that pairs with the release of that branch. It stores the number with
 * release, and readers load it with acquire, so that they see those edges, too.
 *
 * <p>The bits of a place that an entry need not have are left to the number of the node, with the
 * four that no key has. Nodes of larger numbers are not kept, nor are words without a key.
 */
final class SharedWordCache {

  /** Bits of a key whose letters are side by side. */
  private static final int KEY_BITS = WordKey.LETTERS * Letter.STEP_BITS;

  private static final long KEYS = (1L << KEY_BITS) - 1;

  /** Odd, so that no two keys have the same lowest bits of the product. */
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);

  /** Stands for the node of a word that is not known. */
  static final int NONE = 0;

  private final long[] entries;
  private final int pairShift;
  private final int nodeBits;

  /**
   * None.
   *
   * @param words how many there is room for: a power of two, at least 2
   */
  SharedWordCache(int words) {
    this.entries = new long[words];
    this.pairShift = KEY_BITS - Integer.numberOfTrailingZeros(words / 2);
    this.nodeBits = Long.SIZE - pairShift;
  }

  /** How many words there is room for. */
  int words() {
    return entries.length;
  }

  /** These, with room for more; nobody adds meanwhile. */
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

  /** The node of the word that a key stands for, or {@link #NONE} if that is not known. */
  int node(long key) {
    long mixed = mixed(key);
    int pair = pair(mixed);
    long word = mixed << nodeBits;
    // acquire: pairs with the release in put(); what was known of the node there is known here.
    long entry = (long) ENTRY.getAcquire(entries, pair) ^ word;
    if (entry >>> nodeBits != 0) {
      // acquire: as above.
      entry = (long) ENTRY.getAcquire(entries, pair + 1) ^ word;
    }
    return entry >>> nodeBits == 0 ? (int) entry : NONE;
  }

  /** Tells all of the node of a word, as the first of its pair. */
  void add(long key, int node) {
    if (node >>> nodeBits == 0) {
      put(mixed(key), node);
    }
  }

  private void put(long mixed, int node) {
    int pair = pair(mixed);
    // release, of another's word: pairs with the acquire in node(); acquire: hands on what it knew.
    ENTRY.setRelease(entries, pair + 1, (long) ENTRY.getAcquire(entries, pair));
    // release: pairs with the acquire in node(), and with that above.
    ENTRY.setRelease(entries, pair, mixed << nodeBits | node);
  }
}
