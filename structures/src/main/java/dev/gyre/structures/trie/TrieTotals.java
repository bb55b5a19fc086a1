package dev.gyre.structures.trie;

import org.jspecify.annotations.Nullable;

/** How many words a trie holds, summed up anew only after a change, and while there is one. */
final class TrieTotals {

  /** Sums as they were after a change. */
  private record Totals(long change, long distinct, long all) {}

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private volatile @Nullable Totals kept;

  TrieTotals(TrieNodes nodes, TrieGuard guard) {
    this.nodes = nodes;
    this.guard = guard;
  }

  /** Number of distinct words. */
  long distinct() {
    return totals().distinct;
  }

  /** Number of words, each as often as it was found. */
  long all() {
    return totals().all;
  }

  private Totals totals() {
    long now = guard.changes();
    Totals known = kept;
    if (known != null && known.change == now) {
      return known;
    }
    long words = 0;
    long sum = 0;
    long made = nodes.size();
    for (long node = 1; node < made; node++) {
      long count = nodes.count((int) node);
      words += count > 0 ? 1 : 0;
      sum += count;
    }
    Totals taken = new Totals(now, words, sum);
    // What is taken in the middle of a change has its number, too, and is not what comes of it.
    if (guard.isSince(now)) {
      kept = taken;
    }
    return taken;
  }
}
