package dev.gyre.structures.trie;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Words of a trie that begin with a prefix, in byte order, in batches. Several threads find them in
 * parts, many of which are begun at the same time.
 */
final class PrefixCursor {

  // Smallest and largest number of words of a batch: the first batches are small.
  private static final int FEWEST_WORDS = 1 << 4;
  private static final int MOST_WORDS = 1 << 12;

  /** Number of words of a prefix after which several threads may be used. */
  private static final int FEW_WORDS = 1 << 11;

  /** Smallest number of nodes of a trie with more words than that. */
  private static final int MANY_NODES = 1 << 12;

  /**
   * Number of nodes of a part, if all were of equal size; to begin smaller ones would take longer
   * than to search them.
   */
  private static final int NODES_PER_PART = 1 << 9;

  private static final int MOST_PARTS = 1 << 13;

  /** Largest number of cuts; each cut makes the common path of a part longer by an edge. */
  private static final int MOST_CUTS = 1 << 4;

  /** Number of nodes that are searched before the first batch, if all parts were of equal size. */
  private static final int NODES_AT_ONCE = 1 << 17;

  private final TrieNodes nodes;
  private final TrieQueries views;
  private final long made;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final Deque<Part> begun = new ArrayDeque<>();
  private final int atOnce;
  private int most = FEWEST_WORDS;

  /**
   * Words that begin with a path, or the one word that ends there, in byte order and in batches.
   * Between two batches, the pool of nodes may be replaced and nodes may get new numbers. Each
   * batch begins after the last word.
   *
   * <p>Words whose nodes did not exist at first are not included, so that the iteration ends even
   * if words are added meanwhile.
   */
  private final class Part {

    /** Number of edges of a batch after which it ends, because words may be long. */
    private static final long MANY_EDGES = 1 << 16;

    private final byte[] path;
    private final boolean whole;
    private byte @Nullable [] last;
    private List<WordCount> words = List.of();
    private int given;
    private boolean ended;

    /**
     * Creates a part that has not begun.
     *
     * @param path edges from the root
     * @param whole whether the part is all words that begin with the path
     */
    Part(byte[] path, boolean whole) {
      this.path = path;
      this.whole = whole;
    }

    /** Finds the next words, up to a limit. The pool of nodes must not be replaced meanwhile. */
    void find(int limit) {
      words = whole ? walk(limit) : views.word(path);
      given = 0;
      ended |= !whole;
    }

    private List<WordCount> walk(int limit) {
      List<WordCount> found = new ArrayList<>();
      int node = views.node(path);
      long edges = 0;
      if (node != TrieQueries.NONE) {
        TrieWalk walk = new TrieWalk(nodes, path, node, made);
        if (last != null) {
          walk.goBehind(last);
        }
        while (found.size() < limit && edges < MANY_EDGES && walk.next()) {
          found.add(walk.wordCount());
          last = walk.path();
          edges += last.length;
        }
      }
      ended = found.size() < limit && edges < MANY_EDGES;
      return found;
    }

    /** Returns words that were found, and finds more if all were returned. */
    void give(List<WordCount> into, int limit) {
      int end = Math.min(words.size(), given + limit);
      into.addAll(words.subList(given, end));
      given = end;
      if (given == words.size() && !ended) {
        find(MOST_WORDS);
      }
    }

    boolean hasEnded() {
      return ended && given == words.size();
    }
  }

  /**
   * Creates a cursor that has not begun. The pool of nodes must not be replaced meanwhile.
   *
   * @param prefix its edges from the root; null if no word begins with it
   */
  PrefixCursor(TrieNodes nodes, TrieQueries views, byte @Nullable [] prefix) {
    this.nodes = nodes;
    this.views = views;
    this.made = nodes.size();
    if (prefix != null) {
      Part few = new Part(prefix, true);
      if (prefix.length > 0 || made < MANY_NODES) {
        few.find(FEW_WORDS);
      }
      if (few.ended) {
        begun.add(few);
      } else {
        parts.addAll(parts(prefix));
      }
    }
    long each = Math.max(1, made / Math.max(1, parts.size()));
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    this.atOnce = Math.toIntExact(Math.max(threads, NODES_AT_ONCE / each));
  }

  /** Returns the words that begin with a prefix, in parts and in byte order. */
  private List<Part> parts(byte[] prefix) {
    List<Part> all = List.of(new Part(prefix, true));
    long wanted = Math.min(MOST_PARTS, made / NODES_PER_PART);
    boolean more = true;
    for (int cuts = 0; more && all.size() < wanted && cuts < MOST_CUTS; cuts++) {
      List<Part> smaller = new ArrayList<>();
      all.forEach(part -> cut(part, smaller));
      more = smaller.size() > all.size();
      all = smaller;
    }
    return all;
  }

  /** Cuts a part: adds its first word, and a part per edge. */
  private void cut(Part part, List<Part> into) {
    int node = part.whole ? views.node(part.path) : TrieQueries.NONE;
    into.add(node == TrieQueries.NONE ? part : new Part(part.path, false));
    for (int edge = 0; node != TrieQueries.NONE && edge < nodes.pool().mostChildren(); edge++) {
      if (nodes.pool().child(node, edge) != 0) {
        into.add(new Part(Steps.with(part.path, edge), true));
      }
    }
  }

  /** Returns whether no words are left. */
  boolean hasEnded() {
    return begun.isEmpty() && parts.isEmpty();
  }

  /** Returns the next words. The pool of nodes must not be replaced meanwhile. */
  List<WordCount> next() {
    if (begun.isEmpty()) {
      while (begun.size() < atOnce && !parts.isEmpty()) {
        begun.add(parts.removeFirst());
      }
      List.copyOf(begun).parallelStream().forEach(part -> part.find(MOST_WORDS));
    }
    List<WordCount> words = new ArrayList<>();
    while (words.size() < most && !begun.isEmpty()) {
      Part first = begun.getFirst();
      first.give(words, most - words.size());
      if (first.hasEnded()) {
        begun.removeFirst();
      }
    }
    most = Math.min(2 * most, MOST_WORDS);
    return words;
  }
}
