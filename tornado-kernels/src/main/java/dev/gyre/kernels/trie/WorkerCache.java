package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceLongs;

/**
 * Cache of recent words of a JVM worker, with their nodes and counts. It is kept from strip to
 * strip and from text to text, and while the pool of nodes grows.
 *
 * <p>An entry is two longs: the key of a word, or {@link WordKey#NONE}, and its node with its
 * count. Entries are in pairs; a word may be in either entry of its pair.
 */
final class WorkerCache {

  /** Key of a word without a key: negative, so that no cache contains it. */
  static final long NO_KEY = Long.MIN_VALUE;

  private static final long ONCE = 1L << Integer.SIZE;
  private static final long HASH = 0x9E37_79B9_7F4A_7C15L;
  private static final int HASH_SHIFT = 36;

  /** Number of longs of a pair: key, node and count of its first word, and of its second. */
  private static final int PAIR = 4;

  private static final int COUNT = 1;
  private static final int SECOND = 2;

  /** Longs of the entries whose counts are loaded together. */
  private static final int FLUSHED = 16 * SECOND;

  private final long[] entries;

  /**
   * Creates an empty cache.
   *
   * @param words capacity in words: a power of two, at least 2
   */
  WorkerCache(int words) {
    entries = new long[words * 2];
  }

  /** Returns the index of the pair of a key. */
  private static int pair(long key, int longs) {
    return (int) ((key * HASH) >>> HASH_SHIFT) & (longs - PAIR);
  }

  /**
   * Counts words that are first of their pairs; returns the index of the first key, from {@code
   * begin} on, whose word is not, or {@code end}.
   */
  int hits(long[] keys, int begin, int end) {
    long[] all = entries;
    int i = begin;
    while (i < end) {
      long key = keys[i];
      int first = pair(key, all.length);
      long counted = all[first + COUNT] + ONCE;
      if (all[first] != key || counted < 0) {
        break;
      }
      all[first + COUNT] = counted;
      i++;
    }
    return i;
  }

  /** Counts a word if it is the first of its pair; returns whether it was. */
  boolean hit(long key) {
    long[] all = entries;
    int first = pair(key, all.length);
    long counted = all[first + COUNT] + ONCE;
    // Negative if the counter is full.
    boolean known = all[first] == key && counted >= 0;
    if (known) {
      all[first + COUNT] = counted;
    }
    return known;
  }

  /**
   * Counts a word if it is the second of its pair, and makes it the first; returns whether it was.
   */
  boolean promote(long key) {
    int first = pair(key, entries.length);
    long counted = entries[first + SECOND + COUNT] + ONCE;
    boolean known = entries[first + SECOND] == key && counted >= 0;
    if (known) {
      demote(first);
      entries[first] = key;
      entries[first + COUNT] = counted;
    }
    return known;
  }

  /**
   * Adds a word with count 1 as the first of its pair. The first becomes the second, and the count
   * of the second is added to the trie.
   */
  void remember(long key, int node, int nodeShift, DeviceLongs counts) {
    int first = pair(key, entries.length);
    spill(first + SECOND, nodeShift, counts);
    demote(first);
    entries[first] = key;
    entries[first + COUNT] = node + ONCE;
  }

  /** Returns whether adding a word evicts another. */
  boolean isFull(long key) {
    return entries[pair(key, entries.length) + SECOND] != WordKey.NONE;
  }

  private void demote(int first) {
    entries[first + SECOND] = entries[first];
    entries[first + SECOND + COUNT] = entries[first + COUNT];
  }

  /**
   * Adds all counts of the cache to the trie; the words stay, with count 0. Workers start at
   * different places, because they have the same words at the same places.
   */
  void flush(int nodeShift, DeviceLongs counts, int worker, int workers) {
    int begin = (int) ((long) entries.length * worker / workers) & -FLUSHED;
    for (int done = 0; done < entries.length; done += FLUSHED) {
      int from = (begin + done) & (entries.length - 1);
      int to = Math.min(entries.length, from + FLUSHED);
      for (int at = from; at < to; at += SECOND) {
        long entry = entries[at + COUNT];
        if (entry >= ONCE) {
          long _ = counts.loadRelaxed(TrieLayout.count((int) entry, nodeShift));
        }
      }
      for (int at = from; at < to; at += SECOND) {
        spill(at, nodeShift, counts);
      }
    }
  }

  private void spill(int at, int nodeShift, DeviceLongs counts) {
    long entry = entries[at + COUNT];
    if (entry >= ONCE) {
      int node = (int) entry;
      // relaxed: the end of the launch publishes the counts.
      counts.fetchAddRelaxed(TrieLayout.count(node, nodeShift), entry >>> Integer.SIZE);
      entries[at + COUNT] = node;
    }
  }
}
