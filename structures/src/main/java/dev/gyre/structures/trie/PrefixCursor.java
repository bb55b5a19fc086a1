package dev.gyre.structures.trie;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The words of a trie that begin with a prefix, in byte order, some at a time, found by several
 * threads: in parts, of which many are begun at the same time.
 */
final class PrefixCursor {

  // Words that are given at a time, at first and later.
  private static final int FEWEST_WORDS = 1 << 4;
  private static final int MOST_WORDS = 1 << 12;

  /** So many words of a prefix are found before it is thought of several threads. */
  private static final int FEW_WORDS = 1 << 11;

  /** Nodes of a trie that may have more words than those. */
  private static final int MANY_NODES = 1 << 12;

  /** A part is of so many nodes, if all were as large; it takes longer to begin one than few. */
  private static final int NODES_PER_PART = 1 << 9;

  private static final int MOST_PARTS = 1 << 13;

  /** How often parts are cut; each time, words of one have one edge more in common. */
  private static final int MOST_CUTS = 1 << 4;

  /** So many nodes are gone over before the first words are given, if all parts were as large. */
  private static final int NODES_AT_ONCE = 1 << 17;

  private final TrieNodes nodes;
  private final TrieQueries views;
  private final long made;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final Deque<Part> begun = new ArrayDeque<>();
  private final int atOnce;
  private int most = FEWEST_WORDS;

  /**
   * The words that begin with a path, or the one word that ends there, in byte order, some at a
   * time: between two times the pool of nodes may be replaced, and nodes numbered anew. Each time
   * the walk begins behind the last word.
   *
   * <p>Words for which there was no node at first are not met, so that there is an end, whatever is
   * added meanwhile.
   */
  private final class Part {

    /** Words may be long: there are no more at a time, once they have so many edges. */
    private static final long MANY_EDGES = 1 << 16;

    private final byte[] path;
    private final boolean whole;
    private byte @Nullable [] last;
    private List<WordCount> words = List.of();
    private int given;
    private boolean ended;

    /**
     * A part of which nothing was found yet.
     *
     * @param path edges from the root
     * @param whole whether it is all words that begin with the path
     */
    Part(byte[] path, boolean whole) {
      this.path = path;
      this.whole = whole;
    }

    /** Finds the next words, at most so many; the pool of nodes must stay meanwhile. */
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

    /** Gives words that were found, and finds others if those were all. */
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
   * A sweep that has not begun; the pool of nodes must stay meanwhile.
   *
   * @param prefix its edges from the root; null where no word begins with it
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

  /** The words that begin with a prefix, in parts and in byte order. */
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

  /** Adds what a part is made of: its first word, and those that go on with each of its edges. */
  private void cut(Part part, List<Part> into) {
    int node = part.whole ? views.node(part.path) : TrieQueries.NONE;
    into.add(node == TrieQueries.NONE ? part : new Part(part.path, false));
    for (int edge = 0; node != TrieQueries.NONE && edge < nodes.pool().mostChildren(); edge++) {
      if (nodes.pool().child(node, edge) != 0) {
        into.add(new Part(Steps.with(part.path, edge), true));
      }
    }
  }

  /** Whether no words are left. */
  boolean hasEnded() {
    return begun.isEmpty() && parts.isEmpty();
  }

  /** The next words; the pool of nodes must stay meanwhile. */
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
