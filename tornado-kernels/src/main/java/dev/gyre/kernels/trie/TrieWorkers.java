package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Workers of the JVM that add texts to a trie, one text at a time. Each has its own cache of words,
 * and all share a table of {@linkplain SharedWordCache words that they have found}.
 *
 * <p>On a device the threads of a block share a cache. The JVM has few threads, each of which
 * processes many <em>strips</em> of the text in turn. What a worker learns in one strip it uses in
 * the next, and in the next text, as long as nodes keep their numbers.
 *
 * @since 0.1.0
 */
public final class TrieWorkers {

  /**
   * Each cache is allocated by its worker: apart from other caches, and near the processor of the
   * worker.
   */
  private final @Nullable WorkerCache[] caches;

  private final int words;

  private SharedWordCache shared;

  /**
   * Creates workers with empty caches.
   *
   * @param workers number of workers
   * @param words capacity of each cache in words: a power of two, at least 2
   */
  public TrieWorkers(int workers, int words) {
    this(workers, words, new SharedWordCache(2));
  }

  private TrieWorkers(int workers, int words, SharedWordCache shared) {
    this.caches = new WorkerCache[workers];
    this.words = words;
    this.shared = shared;
  }

  /** Returns the capacity of the shared table in words. */
  public int sharedWords() {
    return shared.words();
  }

  /**
   * Returns workers with other, empty caches and the same shared table.
   *
   * @param workers number of workers
   * @param words capacity of each cache in words: a power of two, at least 2
   */
  public TrieWorkers followers(int workers, int words) {
    return new TrieWorkers(workers, words, shared);
  }

  /**
   * Enlarges the shared table. No worker is running.
   *
   * @param words smallest capacity in words: a power of two
   */
  public void growShared(int words) {
    if (words > shared.words()) {
      shared = shared.grown(words);
    }
  }

  /** Returns the number of workers. */
  public int count() {
    return caches.length;
  }

  /** Returns the capacity of each cache in words. */
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

  /** A text in strips. Each is processed to its end, or until a node is refused. */
  public final class Strips {

    private final KernelText text;
    private final Letters letters;
    private final DeviceLongs ended;

    /** Position in each strip; negative if it has not begun. */
    private final long[] positions;

    /**
     * Creates strips.
     *
     * @param letters letters of ASCII or of Unicode
     * @param ended {@link TrieLayout#ENDED_LONGS} longs, to which the number of strips with each
     *     outcome is added, by {@link TrieLayout#ended}
     * @param strips number of strips
     */
    public Strips(KernelText text, Letters letters, DeviceLongs ended, int strips) {
      this.text = text;
      this.letters = letters;
      this.ended = ended;
      this.positions = new long[strips];
      Arrays.fill(positions, -1);
    }

    /**
     * Returns the shape of every launch: a device thread per worker, each with at least one strip.
     */
    public LaunchShape shape() {
      return LaunchShape.ofThreads(Math.min(caches.length, positions.length));
    }

    /** Returns the kernel that continues all strips. */
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

    private TextWorker hired(TrieEdges trie, WorkerCache cache) {
      boolean alone = caches.length == 1;
      return switch (letters) {
        case AsciiLetters ascii -> new AsciiWorker(text, ascii, trie, cache, shared, alone);
        case UnicodeLetters unicode -> new UnicodeWorker(text, unicode, trie, cache, shared, alone);
      };
    }

    private void work(TextWorker worker, AtomicInteger next, int number) {
      boolean done = true;
      int strip = next.getAndIncrement();
      // A thread is interrupted if the launch is cancelled.
      while (strip < positions.length && !Thread.currentThread().isInterrupted()) {
        positions[strip] = worker.count(strip, positions.length, positions[strip]);
        long outcome = worker.outcome();
        report(strip, TrieLayout.RUN);
        if (outcome != TrieLayout.RUN) {
          report(strip, outcome);
          done = false;
        }
        strip = next.getAndIncrement();
      }
      if (done) {
        worker.flush(number, caches.length);
      }
    }

    private void report(int strip, long outcome) {
      // relaxed: the end of the launch publishes it.
      long _ = ended.fetchAddRelaxed(TrieLayout.ended(strip, outcome), 1);
    }
  }
}
