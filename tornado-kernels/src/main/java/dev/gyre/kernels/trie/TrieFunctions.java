package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;

/**
 * The word trie's device functions: all device threads build one trie, by the protocol of the blog.
 *
 * <p>An edge goes from {@link #EMPTY} to {@link #RESERVED}, by a compare-and-exchange that one
 * thread wins; the winner takes the next node of the pool and publishes its number in the edge, or
 * {@link #OVERFLOW} where the pool has no more; all others wait, backing off. From OVERFLOW an edge
 * goes to RESERVED again when a later word comes by, so that after the pool has grown there is
 * nothing to repair. Edges to nodes never change.
 *
 * <p>Adding to the same few counters is what keeps threads from scaling. So each strip has a cache
 * of words that it met of late, with their nodes and how often it met them since; a word that is in
 * the cache costs no walk, and no access to what is shared. What is displaced from the cache, and
 * at the end the whole cache, is added to the counts of the trie.
 *
 * <table>
 * <caption>Accesses</caption>
 * <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 * <tr><td>edge, load<td>acquire, device<td>store of an edge<td>what the winner did before it
 *     published a node must be seen by those who walk on to it
 * <tr><td>edge, compare-and-exchange<td>relaxed, device<td>-<td>not atomic: two winners, and the
 *     words of one are lost
 * <tr><td>edge, store<td>release, device<td>load and wait<td>as for the load
 * <tr><td>edge, wait<td>acquire, device<td>store of an edge<td>as for the load
 * <tr><td>bump, fetch-add<td>relaxed, device<td>-<td>not atomic: one node at two places
 * <tr><td>count, fetch-add<td>relaxed, device<td>end of the launch<td>not atomic: counts are lost
 * <tr><td>cache and progress<td>plain, thread<td>end of the launch<td>-
 * </table>
 *
 * <p>Forward progress: a thread waits only for one that has begun and that has no loop before it
 * publishes. Waits are bounded by the poll limit.
 */
public final class TrieFunctions {

  /** Edge that leads nowhere yet. */
  public static final int EMPTY = 0;

  /** Edge whose node a thread is about to publish. */
  public static final int RESERVED = -1;

  /** Edge for which there was no node left. */
  public static final int OVERFLOW = -2;

  /** What no edge ever holds. */
  private static final int NOBODY = Integer.MIN_VALUE;

  /** Position of a strip that has not begun. */
  public static final long FRESH = -1;

  /** Outcome of a strip: it has not run yet. */
  public static final long NOT_RUN = 0;

  /** Outcome of a strip: all its words are counted. */
  public static final long DONE = 1;

  /** Outcome of a strip: the pool of nodes is exhausted; it goes on once there is room. */
  public static final long FULL = 2;

  /**
   * Outcome of a strip: it gave up waiting for a node that another thread had taken and did not
   * publish, at the poll limit or (JVM) because it was interrupted.
   */
  public static final long STUCK = 3;

  private static final int NO_LETTER = Alphabet.NO_LETTER;

  /** What is no node, and no value of an edge either. */
  private static final int NO_NODE = Integer.MIN_VALUE;

  /**
   * Key of no letters. A key has, side by side, each letter's number and 1, so never 0; the first
   * letter is in the lowest bits.
   */
  static final long NO_WORD = 0;

  /**
   * Set in a key whose letters take as many bits as a node's shift says. Those of other keys take
   * {@link AsciiWindows#BYTE_SHIFT}.
   */
  static final long PACKED = 1L << 62;

  /** Bits that the letters of a key may take. */
  private static final int KEY_BITS = 62;

  /** One occurrence, in the upper half of an entry's second long; the lower half is the node. */
  private static final long ONCE = 1L << 32;

  private TrieFunctions() {}

  /**
   * Adds the words that start in one strip of a text to the trie.
   *
   * <p>The parameters are those of {@link BuildTrie}. A strip that ends {@link #FULL} or {@link
   * #STUCK} has counted all its words before {@code progress}' position and none after, and goes on
   * from there when called again.
   *
   * @param strip number of the strip, from 0 to {@code strips - 1}
   * @param strips number of strips; the same in all calls for one text
   */
  public static void build(
      int strip,
      int strips,
      Bytes text,
      long length,
      ThreadLongs words,
      long windowed,
      Bytes classes,
      int nodeShift,
      DeviceInts edges,
      DeviceLongs counts,
      long capacity,
      DeviceLongs bump,
      ThreadLongs pending,
      int pendingMask,
      ThreadLongs progress,
      long pollLimit) {
    long cache = (long) strip * TrieLayout.PENDING_LONGS * (pendingMask + 1L);
    long end = stripBegin(strip + 1L, strips, length);
    long at = progress.get(TrieLayout.position(strip));
    if (at == FRESH) {
      at = wordEnd(text, classes, stripBegin(strip, strips, length), end);
    }
    // The word that crosses the end of the strip is ours, unless we are wholly inside it.
    long stop = at < end ? wordEnd(text, classes, end, length) : at;
    long lastWindow = Math.min(stop, windowed - AsciiWindows.MARGIN);
    long outcome = DONE;
    while (at < stop) {
      boolean windows = at < lastWindow;
      long limit = windows ? lastWindow : stop;
      long key = NO_WORD;
      boolean known = false;
      if (windows) {
        at = AsciiWindows.countCached(words, at, limit, pending, cache, pendingMask);
        key = AsciiWindows.keyAt(words, at, limit);
        known = promote(key, pending, cache, pendingMask);
      } else {
        at = countCached(text, at, limit, classes, nodeShift, pending, cache, pendingMask);
      }
      int node = NO_NODE;
      if (known) {
        at += AsciiWindows.lengthAt(words, at);
      } else {
        if (key != NO_WORD) {
          node = walkKey(key, nodeShift, edges, capacity, bump, pollLimit);
        } else {
          if (at < limit) {
            node = walk(text, at, stop, classes, nodeShift, edges, capacity, bump, pollLimit);
          }
        }
      }
      if (node > 0) {
        if (key != NO_WORD) {
          remember(key, node, nodeShift, counts, pending, cache, pendingMask);
          at += AsciiWindows.lengthAt(words, at);
        } else {
          at = count(node, text, at, stop, classes, nodeShift, counts, pending, cache, pendingMask);
        }
      } else {
        if (node != NO_NODE) {
          outcome = node == OVERFLOW ? FULL : STUCK;
          stop = at;
        }
      }
    }
    for (int i = 0; i <= pendingMask; i++) {
      spill(cache + (long) i * TrieLayout.PENDING_LONGS, nodeShift, counts, pending);
    }
    // plain: the host reads them after the launch.
    progress.set(TrieLayout.position(strip), at);
    progress.set(TrieLayout.outcome(strip), outcome);
  }

  /** Where a strip begins, {@code length * strip / strips} without overflow. */
  static long stripBegin(long strip, int strips, long length) {
    return length / strips * strip + length % strips * strip / strips;
  }

  /** The end, up to {@code end}, of the word that {@code begin} is inside; else {@code begin}. */
  static long wordEnd(Bytes text, Bytes classes, long begin, long end) {
    long at = begin;
    boolean inside = at > 0 && at < end;
    if (inside) {
      inside = classes.get(text.getUnsigned(at - 1)) >= 0;
    }
    while (inside) {
      inside = classes.get(text.getUnsigned(at)) >= 0;
      if (inside) {
        at++;
        inside = at < end;
      }
    }
    return at;
  }

  /**
   * Counts words that are in the cache, from {@code begin} on; returns where the first begins that
   * is not, or {@code stop}.
   *
   * <p>Most of the work is done here: no access is shared with other strips, so that a compiler
   * keeps what does not change out of the loop.
   */
  static long countCached(
      Bytes text,
      long begin,
      long stop,
      Bytes classes,
      int nodeShift,
      ThreadLongs pending,
      long cache,
      int pendingMask) {
    long longest = longestKey(nodeShift);
    long at = begin;
    long word = begin;
    long key = NO_WORD;
    int shift = 0;
    boolean known = at < stop;
    while (known) {
      int letter = classes.get(text.getUnsigned(at));
      at++;
      known = at < stop;
      if (letter >= 0) {
        key |= (letter + 1L) << shift;
        shift += nodeShift;
      } else {
        boolean counted = true;
        if (key != NO_WORD) {
          // Negative, so in no cache, where the word is too long for a key.
          long room = longest - (at - 1 - word);
          counted = again(PACKED | key | (room & Long.MIN_VALUE), pending, cache, pendingMask);
        }
        if (counted) {
          word = at;
        } else {
          known = false;
        }
        key = NO_WORD;
        shift = 0;
      }
    }
    return word;
  }

  /** Counts a word once more if it is in the cache; returns whether it was. */
  static boolean again(long key, ThreadLongs pending, long cache, int pendingMask) {
    boolean known = hit(key, pending, cache, pendingMask);
    if (!known) {
      known = promote(key, pending, cache, pendingMask);
    }
    return known;
  }

  /** Counts a word once more if it is the first of its pair; returns whether it was. */
  static boolean hit(long key, ThreadLongs pending, long cache, int pendingMask) {
    long first = cache + slot(key, pendingMask);
    long entry = pending.get(first + 1);
    long other = pending.get(first) ^ key;
    // Negative where the entry is of another word, or is as full as can be.
    boolean known = (other | -other | entry) >= 0;
    if (known) {
      pending.set(first + 1, entry + ONCE);
    }
    return known;
  }

  /**
   * Counts a word once more if it is the second of its pair, and makes it the first; returns
   * whether it was.
   */
  static boolean promote(long key, ThreadLongs pending, long cache, int pendingMask) {
    long first = cache + slot(key, pendingMask);
    long second = second(first, pendingMask);
    long entry = pending.get(second + 1);
    long other = pending.get(second) ^ key;
    // Negative as above, or where there is no word.
    boolean known = (other | -other | entry | (key - 1)) >= 0;
    if (known) {
      pending.set(second, pending.get(first));
      pending.set(second + 1, pending.get(first + 1));
      pending.set(first, key);
      pending.set(first + 1, entry + ONCE);
    }
    return known;
  }

  /** The node of the word at {@code begin}, made if need be; or RESERVED or OVERFLOW. */
  static int walk(
      Bytes text,
      long begin,
      long stop,
      Bytes classes,
      int nodeShift,
      DeviceInts edges,
      long capacity,
      DeviceLongs bump,
      long pollLimit) {
    int node = TrieLayout.ROOT;
    long at = begin;
    int letter = classes.get(text.getUnsigned(at));
    while (letter >= 0) {
      long edge = TrieLayout.edge(node, nodeShift, letter);
      // acquire: pairs with the release in claim().
      node = edges.loadAcquire(edge);
      if (node <= 0) {
        node = claim(node, edges, edge, capacity, bump, pollLimit);
      }
      at = node > 0 ? at + 1 : stop;
      letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    }
    return node;
  }

  /** Makes the node that an edge leads to, or waits until another thread has. */
  public static int claim(
      int seen, DeviceInts edges, long edge, long capacity, DeviceLongs bump, long pollLimit) {
    int child;
    // One branch: where the flag of a first one decides a second one, TornadoVM's OpenCL loses the
    // place at which they meet.
    int expected = seen != RESERVED ? seen : NOBODY;
    // relaxed: only that one thread wins matters; nothing is read that another wrote.
    if (edges.compareAndExchangeRelaxed(edge, expected, RESERVED) == expected) {
      // relaxed: a number that no other thread gets; all bits of its node are 0 already.
      long fresh = bump.fetchAddRelaxed(0, 1);
      child = fresh < capacity ? (int) fresh : OVERFLOW;
      // release: pairs with the acquires in walk() and below.
      edges.storeRelease(edge, child);
      edges.wakeAll(edge);
    } else {
      // acquire: pairs with the release above.
      child = edges.waitWhileEqualAcquire(edge, RESERVED, pollLimit);
    }
    return child;
  }

  /** The node of the word that a key stands for, made if need be; or RESERVED or OVERFLOW. */
  static int walkKey(
      long key, int nodeShift, DeviceInts edges, long capacity, DeviceLongs bump, long pollLimit) {
    int node = TrieLayout.ROOT;
    int letters = (1 << nodeShift) - 1;
    int shift = (key & PACKED) != 0 ? nodeShift : AsciiWindows.BYTE_SHIFT;
    long rest = key & ~PACKED;
    while (rest != NO_WORD) {
      long edge = TrieLayout.edge(node, nodeShift, ((int) rest & letters) - 1);
      // acquire: pairs with the release in claim().
      node = edges.loadAcquire(edge);
      if (node <= 0) {
        node = claim(node, edges, edge, capacity, bump, pollLimit);
      }
      rest = node > 0 ? rest >> shift : NO_WORD;
    }
    return node;
  }

  /**
   * Puts a word that was met once into the cache, as the first of its pair; what was first becomes
   * second, and what was second goes to the counts.
   */
  static void remember(
      long key,
      int node,
      int nodeShift,
      DeviceLongs counts,
      ThreadLongs pending,
      long cache,
      int pendingMask) {
    long first = cache + slot(key, pendingMask);
    long second = second(first, pendingMask);
    spill(second, nodeShift, counts, pending);
    pending.set(second, pending.get(first));
    pending.set(second + 1, pending.get(first + 1));
    pending.set(first, key);
    pending.set(first + 1, node + ONCE);
  }

  /** Counts the word at {@code begin} once, in the cache if it is short; returns its end. */
  static long count(
      int node,
      Bytes text,
      long begin,
      long stop,
      Bytes classes,
      int nodeShift,
      DeviceLongs counts,
      ThreadLongs pending,
      long cache,
      int pendingMask) {
    long at = begin;
    long key = NO_WORD;
    int shift = 0;
    int letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    while (letter >= 0) {
      key |= (letter + 1L) << shift;
      shift += nodeShift;
      at++;
      letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    }
    if (at > begin) {
      if (at - begin <= longestKey(nodeShift)) {
        remember(PACKED | key, node, nodeShift, counts, pending, cache, pendingMask);
      } else {
        // relaxed: the end of the launch publishes the counts.
        counts.fetchAddRelaxed(TrieLayout.count(node, nodeShift), 1);
      }
    }
    return at;
  }

  /** Adds what an entry of the cache holds to the counts, and empties it. */
  static void spill(long slot, int nodeShift, DeviceLongs counts, ThreadLongs pending) {
    if (pending.get(slot) != 0) {
      long entry = pending.get(slot + 1);
      // relaxed: the end of the launch publishes the counts.
      counts.fetchAddRelaxed(
          TrieLayout.count((int) entry, nodeShift), Unsigned.shiftRight(entry, 32));
      pending.set(slot, 0);
    }
  }

  /** Most letters of a word that has a key. */
  static long longestKey(int nodeShift) {
    return KEY_BITS / nodeShift;
  }

  /** Where the pair of entries of a key is in its strip's cache, by Fibonacci hashing. */
  static long slot(long key, int pendingMask) {
    return (Unsigned.shiftRight(key * 0x9E37_79B9_7F4A_7C15L, 40) & pendingMask & -2)
        * TrieLayout.PENDING_LONGS;
  }

  /** The second entry of a pair; the first, where the cache has but one. */
  static long second(long first, int pendingMask) {
    return first + (pendingMask & 1L) * TrieLayout.PENDING_LONGS;
  }
}
