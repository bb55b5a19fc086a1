package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Workers of the JVM that add texts to a trie, one text at a time, each with a cache of words that
 * it keeps, and all with one table of {@linkplain SharedWordCache words that they have learnt}.
 *
 * <p>On a device the threads of a block share a cache. The JVM has few threads, so that one goes
 * through many <em>strips</em> of the text: they take them in turn, and what a worker has learnt in
 * one it knows in the next, and in the next text, as long as nodes have the numbers that they had.
 */
public final class TrieWorkers {

  /** Each is made by its worker: beside others that are made, and near to whom it belongs. */
  private final @Nullable WorkerCache[] caches;

  private final int words;

  private SharedWordCache learnt;

  /**
   * Workers who know no words.
   *
   * @param workers how many
   * @param words how many words each cache has room for: a power of two, at least 2
   */
  public TrieWorkers(int workers, int words) {
    this(workers, words, new SharedWordCache(2));
  }

  private TrieWorkers(int workers, int words, SharedWordCache learnt) {
    this.caches = new WorkerCache[workers];
    this.words = words;
    this.learnt = learnt;
  }

  /** How many words there is room for that they have learnt, all of them together. */
  public int learnt() {
    return learnt.words();
  }

  /**
   * Workers with other caches, which are empty, who know what these have learnt.
   *
   * @param workers how many
   * @param words how many words each cache has room for: a power of two, at least 2
   */
  public TrieWorkers followers(int workers, int words) {
    return new TrieWorkers(workers, words, learnt);
  }

  /**
   * Has room for what they learn, for all of them together; nobody is at work.
   *
   * @param words for how many words at least: a power of two
   */
  public void learn(int words) {
    if (words > learnt.words()) {
      learnt = learnt.grown(words);
    }
  }

  /** How many there are. */
  public int count() {
    return caches.length;
  }

  /** How many words each cache has room for. */
  public int words() {
    return words;
  }

  private WorkerCache cache(int worker) {
    WorkerCache cache = caches[worker];
    if (cache == null) {
      cache = new WorkerCache(words);
      caches[worker] = cache;
    }
    return cache;
  }

  /**
   * A text in strips, of which each is gone through to its end or to where it is refused a node.
   */
  public final class Strips {

    private final KernelText text;
    private final Letters letters;
    private final DeviceLongs ended;

    /** Where each strip goes on; negative where it has not begun. */
    private final long[] positions;

    /**
     * Strips that have not begun.
     *
     * @param letters of ASCII or of Unicode
     * @param ended {@link TrieLayout#ENDED_LONGS} longs: how many strips ended with each outcome,
     *     by {@link TrieLayout#ended}, is added there
     * @param strips into how many the text is cut
     */
    public Strips(KernelText text, Letters letters, DeviceLongs ended, int strips) {
      this.text = text;
      this.letters = letters;
      this.ended = ended;
      this.positions = new long[strips];
      Arrays.fill(positions, -1);
    }

    /** The shape of every launch: a device thread per worker, of whom none is without a strip. */
    public LaunchShape shape() {
      return LaunchShape.ofThreads(Math.min(caches.length, positions.length));
    }

    /** What goes on with all of them. */
    public Kernel kernel(TrieEdges trie) {
      AtomicInteger next = new AtomicInteger();
      return new Kernel() {
        @Override
        public void run(int thread, LaunchShape shape) {
          work(hired(trie, cache(thread)), next, thread);
        }

        @Override
        public String name() {
          return "TrieWorkers";
        }
      };
    }

    private StripWorker hired(TrieEdges trie, WorkerCache cache) {
      boolean alone = caches.length == 1;
      return switch (letters) {
        case AsciiLetters ascii -> new AsciiWorker(text, ascii, trie, cache, learnt, alone);
        case UnicodeLetters unicode -> new UnicodeWorker(text, unicode, trie, cache, learnt, alone);
      };
    }

    private void work(StripWorker worker, AtomicInteger next, int number) {
      boolean done = true;
      int strip = next.getAndIncrement();
      // Interrupted where the launch is cancelled.
      while (strip < positions.length && !Thread.currentThread().isInterrupted()) {
        positions[strip] = worker.count(strip, positions.length, positions[strip]);
        long outcome = worker.outcome();
        tell(strip, TrieLayout.RUN);
        if (outcome != TrieLayout.RUN) {
          tell(strip, outcome);
          done = false;
        }
        strip = next.getAndIncrement();
      }
      if (done) {
        worker.flush(number, caches.length);
      }
    }

    private void tell(int strip, long outcome) {
      // relaxed: the end of the launch publishes it.
      long _ = ended.fetchAddRelaxed(TrieLayout.ended(strip, outcome), 1);
    }
  }
}
