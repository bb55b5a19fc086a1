package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieLayout;
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

  /** Largest number of nodes whose sums fit in an array. */
  private static final int MOST_NODES = Integer.MAX_VALUE - 8;

  /** Divisor of the heap size that limits the memory of the sums. */
  private static final int HEAP_SHARE = 16;

  /** Heap use per node while sums are computed, in bytes. */
  private static final int NODE_BYTES = Long.BYTES + Integer.BYTES;

  private static final byte[] NO_PREFIX = {};

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
  private final TrieLock guard;
  private volatile @Nullable Known<long[]> kept;
  private volatile @Nullable Known<Totals> keptTotals;
  private final AtomicLong visited = new AtomicLong();
  private volatile long visitedAfter = -1;

  TrieSums(TrieNodes nodes, TrieLock guard) {
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
    long now = guard.changes();
    Known<long[]> known = kept;
    return known != null && known.change == now && node < known.value.length
        ? known.value[node]
        : computed(node);
  }

  private long computed(int node) {
    // Later additions may or may not be included; they change the number, and are included next
    // time.
    long now = guard.watchChanges();
    if (visitedAfter != now) {
      visited.set(0);
      visitedAfter = now;
      kept = null;
    }
    long[] all = pays() ? all(nodes.pool(), (int) nodes.size()) : null;
    if (all != null && guard.changes() == now) {
      kept = new Known<>(now, all);
    }
    return all != null && node < all.length ? all[node] : visit(node);
  }

  /** Returns whether the caller computes the sums of all nodes; concurrent callers do not. */
  private boolean pays() {
    long made = nodes.size();
    long seen = visited.get();
    return seen >= made
        && made <= Math.min(MOST_NODES, Runtime.getRuntime().maxMemory() / HEAP_SHARE / NODE_BYTES)
        && !guard.isChanging()
        && visited.compareAndSet(seen, Long.MIN_VALUE / 2);
  }

  /** Returns the sum of a node by a walk. */
  private long visit(int node) {
    TrieWalk walk = new TrieWalk(nodes, NO_PREFIX, node, nodes.size());
    // The count of the root is 0.
    long sum = nodes.count(node);
    while (walk.next()) {
      sum += walk.count();
    }
    long _ = visited.addAndGet(1 + walk.visited());
    return sum;
  }

  /** Returns the sums of all nodes. */
  private static long[] all(TriePool pool, int made) {
    int[] parents = pool.parents(made);
    long[] below = new long[made];
    // From the last to the first: a child is made after its parent.
    for (int node = made - 1; node > TrieLayout.ROOT; node--) {
      below[node] += pool.count(node);
      below[parents[node]] += below[node];
    }
    return below;
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
