package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieLayout;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent of all words of a trie.
 *
 * <p>Several threads scan the nodes in the order of memory. A walk would take longer, because each
 * of its steps waits for the previous one. The first scan reads counts, each in one cache line. It
 * finds the nodes with the largest counts.
 *
 * <p>To get the words of these nodes, a second scan notes the parent of each node, in 4 bytes of
 * the heap. It ends at the last of these nodes, because parents are made before children, and
 * frequent words are made early.
 *
 * <p>The pool of nodes must not be replaced meanwhile. Words that are added meanwhile may or may
 * not be included.
 */
final class TrieTop {

  /** Number of nodes of a trie up to which a walk suffices. */
  private static final int FEW_NODES = 1 << 12;

  /** Largest number of requested words. */
  private static final int MOST_WORDS = 1 << 10;

  /** Largest number of words that may be as frequent as the last one. */
  private static final int MOST_EQUALS = 1 << 14;

  /** Divisor of the heap size that limits the memory for parents. */
  private static final int HEAP_SHARE = 16;

  private final TriePool pool;
  private final int made;

  /** Parents of nodes up to the last one that is needed. */
  private int[] parents = {};

  private TrieTop(TriePool pool, int made) {
    this.pool = pool;
    this.made = made;
  }

  /**
   * Returns the most frequent words, in the order of {@link WordCount#BY_COUNT}; empty if a walk is
   * needed.
   *
   * @param limit largest number of words
   */
  static Optional<List<WordCount>> of(TrieNodes nodes, int limit) {
    long made = nodes.size();
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE / Integer.BYTES;
    return limit > MOST_WORDS || made < FEW_NODES || made > most
        ? Optional.empty()
        : Optional.ofNullable(new TrieTop(nodes.pool(), (int) made).words(nodes, limit));
  }

  private @Nullable List<WordCount> words(TrieNodes nodes, int limit) {
    Leaders leaders =
        IntStream.range(0, Math.ceilDiv(made, TriePool.TASK_NODES))
            .parallel()
            .collect(() -> new Leaders(limit), this::lookAtCounts, Leaders::addAll);
    leaders.leaveAll();
    boolean complete = leaders.size <= MOST_WORDS + MOST_EQUALS;
    if (complete) {
      parents = pool.parents(leaders.last() + 1);
    }
    List<WordCount> words = new ArrayList<>();
    for (int i = 0; complete && i < leaders.size; i++) {
      byte[] path = path(leaders.nodes[i]);
      complete = path != null;
      if (path != null) {
        words.add(new WordCount(nodes.word(path), leaders.counts[i]));
      }
    }
    words.sort(WordCount.BY_COUNT);
    return complete ? List.copyOf(words.subList(0, Math.min(limit, words.size()))) : null;
  }

  /** Notes which of some nodes have the largest counts. */
  private void lookAtCounts(Leaders leaders, int task) {
    int end = Math.min(made, (task + 1) * TriePool.TASK_NODES);
    for (int node = task * TriePool.TASK_NODES; node < end; node++) {
      leaders.add(node, pool.count(node));
    }
  }

  /** Returns the edges from the root to a node; null if its parent was missed. */
  private byte @Nullable [] path(int node) {
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    for (int child = node; child != TrieLayout.ROOT; child = parents[child]) {
      int edge = pool.edge(parents[child], child);
      if (edge < 0) {
        return null;
      }
      path.write(edge);
    }
    return Steps.reversed(path.toByteArray());
  }

  /** Nodes with the largest counts so far, and others with about the count of the last one. */
  private static final class Leaders {

    private static final int INITIAL_CAPACITY = 1 << 8;

    private final int limit;

    /** Count below which a node is not included. */
    private long least = 1;

    private int[] nodes;
    private long[] counts;
    private int size;

    Leaders(int limit) {
      this.limit = limit;
      this.nodes = new int[INITIAL_CAPACITY];
      this.counts = new long[INITIAL_CAPACITY];
    }

    void add(int node, long count) {
      if (count >= least) {
        ensureCapacity(1);
        nodes[size] = node;
        counts[size] = count;
        size++;
      }
    }

    void addAll(Leaders others) {
      ensureCapacity(others.size);
      System.arraycopy(others.nodes, 0, nodes, size, others.size);
      System.arraycopy(others.counts, 0, counts, size, others.size);
      size += others.size;
      leave(Math.max(least, others.least));
    }

    private void ensureCapacity(int more) {
      if (size + more > nodes.length) {
        leaveAll();
        if (size + more > nodes.length / 2) {
          int capacity = Math.max(2 * nodes.length, size + more);
          nodes = Arrays.copyOf(nodes, capacity);
          counts = Arrays.copyOf(counts, capacity);
        }
      }
    }

    /**
     * Removes all nodes but the ones with the largest counts, and the ones with the count of the
     * last.
     */
    void leaveAll() {
      if (size > limit) {
        long[] sorted = Arrays.copyOf(counts, size);
        Arrays.sort(sorted);
        leave(sorted[size - limit]);
      }
    }

    /** Returns the node among them that was made last. */
    int last() {
      return Arrays.stream(nodes, 0, size).max().orElse(TrieLayout.ROOT);
    }

    private void leave(long most) {
      least = most;
      int kept = 0;
      for (int i = 0; i < size; i++) {
        if (counts[i] >= least) {
          nodes[kept] = nodes[i];
          counts[kept] = counts[i];
          kept++;
        }
      }
      size = kept;
    }
  }
}
