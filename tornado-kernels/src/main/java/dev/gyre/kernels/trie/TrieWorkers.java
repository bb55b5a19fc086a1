package dev.gyre.kernels.trie;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Workers of the JVM that add one text to a trie, each with a cache of words that it keeps between
 * the launches for that text.
 *
 * <p>A device has a thread per strip, and each thread its cache. The JVM has few threads, so that
 * one goes through many strips: they take strips in turn, and what a worker has learnt in one it
 * knows in the next. Their trie is the same, and they may stop and go on as device threads do.
 */
public final class TrieWorkers {

  private final WorkerCache[] caches;

  /**
   * Workers with empty caches.
   *
   * @param workers how many
   * @param words how many words each cache has room for: a power of two, at least 2
   */
  public TrieWorkers(int workers, int words) {
    this.caches = new WorkerCache[workers];
    for (int worker = 0; worker < workers; worker++) {
      caches[worker] = new WorkerCache(words);
    }
  }

  /** The shape of every launch: a device thread per worker. */
  public LaunchShape shape() {
    return LaunchShape.ofThreads(caches.length);
  }

  /** What does the work of a kernel that has a device thread for each of so many strips. */
  public Kernel kernel(BuildTrie build, int strips) {
    return kernel(cache -> new AsciiWorker(build, cache), strips);
  }

  /** What does the work of a kernel that has a device thread for each of so many strips. */
  public Kernel kernel(BuildUnicodeTrie build, int strips) {
    return kernel(cache -> new UnicodeWorker(build, cache), strips);
  }

  private Kernel kernel(Function<WorkerCache, StripWorker> hired, int strips) {
    AtomicInteger next = new AtomicInteger();
    return new Kernel() {
      @Override
      public void run(int thread, LaunchShape shape) {
        work(hired.apply(caches[thread]), next, strips);
      }

      @Override
      public String name() {
        return "TrieWorkers";
      }
    };
  }

  private static void work(StripWorker worker, AtomicInteger next, int strips) {
    boolean ended = true;
    int strip = next.getAndIncrement();
    // Interrupted where the launch is cancelled.
    while (strip < strips && !Thread.currentThread().isInterrupted()) {
      ended &= worker.count(strip, strips);
      strip = next.getAndIncrement();
    }
    if (ended) {
      worker.flush();
    }
  }
}
