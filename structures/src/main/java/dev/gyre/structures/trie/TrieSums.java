package dev.gyre.structures.trie;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the counts of words that end in a node or below it.
 *
 * <p>A query visits the nodes below. When queries have visited as many nodes as there are, without
 * a change to the trie, the sums of all nodes are computed at once and kept until the next change.
 * So queries cost at most twice the optimum. The sums take 8 bytes of the heap for each node. If
 * that is too much, or nodes keep changing, all queries visit nodes.
 */
final class TrieSums {

  /** Number of nodes that are read at a time. */
  private static final int BLOCK_NODES = 1 << 9;

  /** Largest number of nodes whose sums fit in an array. */
  private static final int MOST_NODES = Integer.MAX_VALUE - 8;

  /** Divisor of the heap size that limits the memory of the sums. */
  private static final int HEAP_SHARE = 16;

  /** Number of nodes that a thread counts at a time. */
  private static final long TASK_NODES = 1 << 13;

  static final Totals NO_WORDS = new Totals(0, 0);

  /** Number of distinct words, and of all words with repetitions. */
  record Totals(long distinct, long all) {

    private Totals plus(Totals other) {
      return new Totals(distinct + other.distinct, all + other.all);
    }
  }

  /** Value for all nodes after a change: without a further change, their pool is the same. */
  private record Known<T>(long change, T value) {}

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private volatile @Nullable Known<long[]> kept;
  private volatile @Nullable Known<Totals> keptTotals;
  private final AtomicLong visited = new AtomicLong();
  private volatile long visitedAfter = -1;

  TrieSums(TrieNodes nodes, TrieGuard guard) {
    this.nodes = nodes;
    this.guard = guard;
  }

  /** Returns whether the sums of all nodes are kept. */
  boolean areKept() {
    Known<long[]> known = kept;
    return known != null && known.change == guard.changes();
  }

  /** Frees the memory that is kept for further queries. */
  void trim() {
    kept = null;
  }

  /** Returns the sum of a node. The pool of nodes must not be replaced meanwhile. */
  long below(int node) {
    // Later additions may or may not be included; they change the number, and are included next
    // time.
    long now = guard.watchChanges();
    TriePool pool = nodes.pool();
    Known<long[]> known = kept;
    if (known != null && known.change == now && node < known.value.length) {
      return known.value[node];
    }
    if (visitedAfter != now) {
      visited.set(0);
      visitedAfter = now;
      kept = null;
    }
    long[] all = pays() ? all(pool, (int) nodes.size()) : null;
    if (all != null && guard.changes() == now) {
      kept = new Known<>(now, all);
    }
    return all != null && node < all.length ? all[node] : visit(pool, node);
  }

  /** Returns whether the caller computes the sums of all nodes; concurrent callers do not. */
  private boolean pays() {
    long made = nodes.size();
    long seen = visited.get();
    return seen >= made
        && made <= Math.min(MOST_NODES, Runtime.getRuntime().maxMemory() / HEAP_SHARE / Long.BYTES)
        && !guard.isChanging()
        && visited.compareAndSet(seen, Long.MIN_VALUE / 2);
  }

  /** Visits nodes level by level: the loads for one node need not wait for another. */
  private long visit(TriePool pool, int node) {
    int most = pool.mostChildren();
    int[] level = {node};
    int size = 1;
    long sum = 0;
    long seen = 0;
    while (size > 0) {
      int[] next = new int[size * 2 + most];
      int found = 0;
      for (int i = 0; i < size; i++) {
        // The count of the root is 0.
        sum += pool.count(level[i]);
        if (found + most > next.length) {
          next = Arrays.copyOf(next, next.length * 2);
        }
        found = pool.children(level[i], next, found);
      }
      seen += size;
      level = next;
      size = found;
    }
    long _ = visited.addAndGet(seen);
    return sum;
  }

  /**
   * Returns the sums of all nodes, from the last to the first: a child is made after its parent.
   */
  private static long[] all(TriePool pool, int made) {
    int nodeLongs = pool.nodeLongs();
    long[] block = new long[BLOCK_NODES * nodeLongs];
    long[] below = new long[made];
    for (int end = made; end > 0; end -= BLOCK_NODES) {
      int begin = Math.max(0, end - BLOCK_NODES);
      // Concurrent additions change the number of changes, too.
      pool.read(begin, end, block);
      for (int node = end - 1; node >= begin; node--) {
        int at = (node - begin) * nodeLongs;
        long sum = block[at + nodeLongs - 1];
        for (int i = at; i < at + nodeLongs - 1; i++) {
          long pair = block[i];
          if (pair != 0) {
            int first = (int) pair;
            int second = (int) (pair >> Integer.SIZE);
            sum += sumOf(first, below) + sumOf(second, below);
          }
        }
        below[node] = sum;
      }
    }
    return below;
  }

  /**
   * Returns the sum of a child; 0 for an empty edge, or for a child that was made after the nodes
   * that are summed up.
   */
  private static long sumOf(int child, long[] below) {
    return child > 0 && child < below.length ? below[child] : 0;
  }

  /** Returns the number of words, which is counted again only after or during a change. */
  Totals totals() {
    long now = guard.watchChanges();
    Known<Totals> known = keptTotals;
    if (known != null && known.change == now) {
      return known.value;
    }
    boolean valid = !guard.isChanging();
    TriePool pool = nodes.pool();
    long made = nodes.size();
    Totals totals =
        LongStream.range(0, Math.ceilDiv(made, TASK_NODES))
            .parallel()
            .mapToObj(task -> count(pool, task * TASK_NODES, made))
            .reduce(NO_WORDS, Totals::plus);
    if (valid && guard.changes() == now) {
      keptTotals = new Known<>(now, totals);
    }
    return totals;
  }

  /** Returns the number of words of a task's nodes. The root has no count. */
  private static Totals count(TriePool pool, long from, long made) {
    long words = 0;
    long sum = 0;
    long end = Math.min(made, from + TASK_NODES);
    for (long node = from; node < end; node++) {
      long count = pool.count((int) node);
      words += count > 0 ? 1 : 0;
      sum += count;
    }
    return new Totals(words, sum);
  }
}
