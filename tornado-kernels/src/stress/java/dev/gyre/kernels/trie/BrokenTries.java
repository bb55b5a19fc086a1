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

  private static void tell(BuildTrie build, int block) {
    long _ = build.ended().fetchAddRelaxed(TrieLayout.ended(block, TrieLayout.RUN), 1);
  }

  /**
   * The build, by blocks of one thread, without their words; it yields inside the broken step, so
   * that others get between.
   */
  private static void run(BuildTrie build, int thread, LaunchShape shape, boolean brokenClaim) {
    KernelText text = build.text();
    long chunks = KernelText.chunks(text.length());
    long end = TrieLayout.stripBegin(thread + 1L, shape.threads(), chunks);
    for (long chunk = TrieLayout.stripBegin(thread, shape.threads(), chunks);
        chunk < end;
        chunk++) {
      int starts = build.letters().starts(text, chunk);
      build.left().set(chunk, 0);
      for (int start = 0; start < KernelText.CHUNK; start++) {
        if ((starts >> start & 1) != 0) {
          word(build, chunk * KernelText.CHUNK + start, brokenClaim);
        }
      }
    }
    tell(build, thread);
  }

  private static void word(BuildTrie build, long begin, boolean brokenClaim) {
    KernelText text = build.text();
    int node = TrieLayout.ROOT;
    long at = begin;
    int step = 0;
    while (step >= 0) {
      long letter = at < text.length() ? build.letters().letterAt(text.bytes(), at, at + 1) : 0;
      step = Letter.step(Letter.steps(letter));
      node = step < 0 ? node : step(build.trie(), node, step, brokenClaim);
      at++;
    }
    count(build.trie(), TrieLayout.count(node, Letter.STEP_BITS), brokenClaim);
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static int step(TrieEdges trie, int node, int step, boolean brokenClaim) {
    long edge = TrieLayout.edge(node, Letter.STEP_BITS, step);
    int child = trie.edges().loadAcquire(edge);
    if (child <= 0 && brokenClaim) {
      Thread.yield();
      child = (int) trie.bump().fetchAddRelaxed(0, 1);
      trie.edges().storeRelease(edge, child);
    } else if (child <= 0) {
      child =
          TrieEdges.claim(
              child, trie.edges(), edge, trie.capacity(), trie.bump(), trie.pollLimit());
    }
    return child;
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void count(TrieEdges trie, long count, boolean atomic) {
    if (atomic) {
      long _ = trie.counts().fetchAddRelaxed(count, 1);
    } else {
      long before = trie.counts().loadRelaxed(count);
      Thread.yield();
      trie.counts().storeRelaxed(count, before + 1);
    }
  }
}
