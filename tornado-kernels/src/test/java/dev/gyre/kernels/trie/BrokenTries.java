package dev.gyre.kernels.trie;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/** Builds with one step of the protocol left out, to show that the tests would see it. */
final class BrokenTries {

  private BrokenTries() {}

  /** Claims an edge without a compare-and-exchange: two threads may both make its node. */
  static Kernel checkThenAct(BuildTrie build) {
    return (thread, shape) -> run(build, thread, shape, true);
  }

  /** Counts with a load and a store: an addition between them is lost. */
  static Kernel plainCount(BuildTrie build) {
    return (thread, shape) -> run(build, thread, shape, false);
  }

  /** The build, without a cache; it yields inside the broken step, so that others get between. */
  private static void run(BuildTrie b, int thread, LaunchShape shape, boolean brokenClaim) {
    long end = TrieFunctions.stripBegin(thread + 1L, shape.threads(), b.length());
    long begin = TrieFunctions.stripBegin(thread, shape.threads(), b.length());
    long at = TrieFunctions.wordEnd(b.text(), b.classes(), begin, end);
    long stop = at < end ? TrieFunctions.wordEnd(b.text(), b.classes(), end, b.length()) : at;
    int node = TrieLayout.ROOT;
    while (at <= stop) {
      int letter = at < stop ? b.classes().get(b.text().getUnsigned(at)) : Alphabet.NO_LETTER;
      if (letter >= 0) {
        node = step(b, TrieLayout.edge(node, b.nodeShift(), letter), brokenClaim);
      } else {
        if (node != TrieLayout.ROOT) {
          count(b, TrieLayout.count(node, b.nodeShift()), brokenClaim);
        }
        node = TrieLayout.ROOT;
      }
      at++;
    }
    b.progress().set(TrieLayout.outcome(thread), TrieFunctions.DONE);
    long _ = b.ended().fetchAddRelaxed(TrieLayout.ended(thread, TrieFunctions.DONE), 1);
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static int step(BuildTrie b, long edge, boolean brokenClaim) {
    int child = b.edges().loadAcquire(edge);
    if (child <= 0 && brokenClaim) {
      Thread.yield();
      child = (int) b.bump().fetchAddRelaxed(0, 1);
      b.edges().storeRelease(edge, child);
    } else if (child <= 0) {
      child = TrieEdges.claim(child, b.edges(), edge, b.capacity(), b.bump(), b.pollLimit());
    }
    return child;
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void count(BuildTrie b, long count, boolean atomic) {
    if (atomic) {
      long _ = b.counts().fetchAddRelaxed(count, 1);
    } else {
      long before = b.counts().loadRelaxed(count);
      Thread.yield();
      b.counts().storeRelaxed(count, before + 1);
    }
  }
}
