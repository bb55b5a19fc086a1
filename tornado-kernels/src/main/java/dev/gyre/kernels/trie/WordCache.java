package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Device functions for the cache that each strip has of the words that it met of late, with their
 * nodes and how often it met them since.
 *
 * <p>Adding to the same few counters is what keeps threads from scaling: a word that is in the
 * cache costs no walk, and no access to what is shared. What is displaced from the cache, and at
 * the end the whole cache, is added to the counts of the trie.
 *
 * <p>An entry is two longs: the key of a word, or {@link #NO_WORD}, and beside its node how often
 * it was met. Entries are in pairs; a word may be in either entry of one pair.
 *
 * <table>
 * <caption>Accesses</caption>
 * <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 * <tr><td>entry<td>plain, thread<td>-<td>-
 * <tr><td>count, fetch-add<td>relaxed, device<td>end of the launch<td>not atomic: counts are lost
 * </table>
 */
final class WordCache {

  /**
   * Key of no letters. A key has, side by side, each letter's number and 1, so never 0; the first
   * letter is in the lowest bits.
   */
  static final long NO_WORD = 0;

  /**
   * Set in a key whose letters take as many bits as a node's shift says. Those of other keys take
   * {@link #BYTE_SHIFT}.
   */
  static final long PACKED = 1L << 62;

  /** Bits that the letters of a key may take. */
  static final int KEY_BITS = 62;

  /** One occurrence, in the upper half of an entry's second long; the lower half is the node. */
  private static final long ONCE = 1L << 32;

  /** Bits of a letter in a key that is not {@link #PACKED}. */
  static final int BYTE_SHIFT = 8;

  private WordCache() {}

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

  /** Adds what the cache of a strip holds to the counts, and empties it. */
  static void flush(
      int nodeShift, DeviceLongs counts, ThreadLongs pending, long cache, int pendingMask) {
    for (int i = 0; i <= pendingMask; i++) {
      spill(cache + (long) i * TrieLayout.PENDING_LONGS, nodeShift, counts, pending);
    }
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
