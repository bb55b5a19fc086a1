package dev.gyre.structures.trie;

import java.util.Arrays;

/** How many words a trie holds, summed up anew only after a change. */
final class TrieTotals {

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private long summarised = -1;
  private long distinct;
  private long all;

  TrieTotals(TrieNodes nodes, TrieGuard guard) {
    this.nodes = nodes;
    this.guard = guard;
  }

  /** Number of distinct words. */
  synchronized long distinct() {
    summarise();
    return distinct;
  }

  /** Number of words, each as often as it was found. */
  synchronized long all() {
    summarise();
    return all;
  }

  /**
   * How often the words were found that end in a node or below. Level by level: what is loaded for
   * one node need not wait for another.
   */
  static long below(TriePool pool, int node) {
    long[] room = pool.room();
    int[] level = {node};
    int size = 1;
    // That of the root is 0.
    long sum = pool.count(node);
    while (size > 0) {
      int[] next = new int[size * 2];
      int found = 0;
      for (int i = 0; i < size; i++) {
        for (int pairs = pool.pairs(level[i], room); pairs != 0; pairs &= pairs - 1) {
          int step = 2 * Integer.numberOfTrailingZeros(pairs);
          if (found + 2 > next.length) {
            next = Arrays.copyOf(next, next.length * 2);
          }
          for (int each = step; each <= step + 1; each++) {
            int child = pool.child(level[i], each);
            if (child != 0) {
              sum += pool.count(child);
              next[found++] = child;
            }
          }
        }
      }
      level = next;
      size = found;
    }
    return sum;
  }

  private void summarise() {
    // What is added from now on is seen or not; it changes the number, and is seen the next time.
    long now = guard.changes();
    if (summarised != now) {
      long words = 0;
      long sum = 0;
      long made = nodes.size();
      for (long node = 1; node < made; node++) {
        long count = nodes.count((int) node);
        words += count > 0 ? 1 : 0;
        sum += count;
      }
      distinct = words;
      all = sum;
      summarised = now;
    }
  }
}
