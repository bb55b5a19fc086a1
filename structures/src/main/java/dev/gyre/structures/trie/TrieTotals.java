package dev.gyre.structures.trie;

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
