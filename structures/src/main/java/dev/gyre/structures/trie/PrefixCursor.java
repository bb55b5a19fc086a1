package dev.gyre.structures.trie;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The words of a trie that begin with a prefix, in byte order, some at a time, found by several
 * threads: in parts, each by a {@link Scan}, of which many are begun at the same time.
 *
 * <p>What is true of a scan is true of this.
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

  /** A word, or all that begin with it; by edges from the root. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared, nor changed.
  private record Part(byte[] path, boolean whole) {}

  /**
   * The words of a trie that begin with a prefix, in byte order, some at a time: between two times
   * the pool of nodes may be replaced, and nodes numbered anew. Each time the walk begins behind
   * the last word.
   *
   * <p>Words for which there was no node at first are not met, so that there is an end, whatever is
   * added meanwhile.
   */
  private static final class Scan {

    /** Words may be long: there are no more at a time, once they have so many edges. */
    private static final long MANY_EDGES = 1 << 16;

    private final TrieNodes nodes;
    private final TrieQueries views;
    private final byte @Nullable [] prefix;
    private final long made;
    private byte @Nullable [] last;
    private boolean ended;

    /**
     * A scan that has not begun.
     *
     * @param prefix its edges from the root; null where no word begins with it
     * @param made how many nodes there were at first
     */
    Scan(TrieNodes nodes, TrieQueries views, byte @Nullable [] prefix, long made) {
      this.nodes = nodes;
      this.views = views;
      this.prefix = prefix;
      this.made = made;
      this.ended = prefix == null;
    }

    /** Whether no words are left. */
    boolean hasEnded() {
      return ended;
    }

    /**
     * The next words; the pool of nodes must stay meanwhile.
     *
     * @param most how many at most
     */
    List<WordCount> next(int most) {
      List<WordCount> words = new ArrayList<>();
      TrieWalk walk = walk();
      long edges = 0;
      while (walk != null && words.size() < most && edges < MANY_EDGES && walk.next()) {
        words.add(walk.wordCount());
        last = walk.path();
        edges += last.length;
      }
      ended = words.size() < most && edges < MANY_EDGES;
      return words;
    }

    /** A walk from behind the last word; null where there is nothing any more. */
    private @Nullable TrieWalk walk() {
      byte[] from = prefix;
      int node = from == null ? TrieQueries.NONE : views.node(from);
      if (from == null || node == TrieQueries.NONE) {
        return null;
      }
      TrieWalk walk = new TrieWalk(nodes, from, node, made);
      if (last != null) {
        walk.goBehind(last);
      }
      return walk;
    }
  }

  /** A part that was begun, and what was found of it and is not given yet. */
  private static final class Begun {
    private final @Nullable Scan scan;
    private List<WordCount> words;
    private int given;

    /** A part that is a word at most, or whose words are all there. */
    Begun(List<WordCount> words) {
      this.scan = null;
      this.words = words;
    }

    Begun(Scan scan) {
      this.scan = scan;
      this.words = scan.next(MOST_WORDS);
    }

    /** Gives the next words, if it has not ended. */
    void give(List<WordCount> into, int limit) {
      int end = Math.min(words.size(), given + limit);
      into.addAll(words.subList(given, end));
      given = end;
      if (given == words.size() && scan != null && !scan.hasEnded()) {
        words = scan.next(MOST_WORDS);
        given = 0;
      }
    }

    boolean hasEnded() {
      return given == words.size() && (scan == null || scan.hasEnded());
    }
  }

  private final TrieNodes nodes;
  private final TrieQueries views;
  private final long made;
  private final List<Part> parts;
  private final int atOnce;
  private final Deque<Begun> begun = new ArrayDeque<>();
  private int next;
  private int most = FEWEST_WORDS;

  /**
   * A sweep that has not begun; the pool of nodes must stay meanwhile.
   *
   * @param prefix its edges from the root; null where no word begins with it
   */
  PrefixCursor(TrieNodes nodes, TrieQueries views, byte @Nullable [] prefix) {
    this.nodes = nodes;
    this.views = views;
    this.made = nodes.size();
    boolean many = prefix != null && prefix.length == 0 && made >= MANY_NODES;
    Scan first = new Scan(nodes, views, prefix, made);
    List<WordCount> few = many ? List.of() : first.next(FEW_WORDS);
    if (prefix == null || first.hasEnded()) {
      this.parts = List.of();
      begun.add(new Begun(few));
    } else {
      this.parts = parts(prefix);
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

  private Begun begin(Part part) {
    return part.whole
        ? new Begun(new Scan(nodes, views, part.path, made))
        : new Begun(views.word(part.path));
  }

  /** Whether no words are left. */
  boolean hasEnded() {
    return begun.isEmpty() && next == parts.size();
  }

  /** The next words; the pool of nodes must stay meanwhile. */
  List<WordCount> next() {
    if (begun.isEmpty()) {
      int end = Math.min(parts.size(), next + atOnce);
      begun.addAll(parts.subList(next, end).parallelStream().map(this::begin).toList());
      next = end;
    }
    List<WordCount> words = new ArrayList<>();
    while (words.size() < most && !begun.isEmpty()) {
      begun.getFirst().give(words, most - words.size());
      if (begun.getFirst().hasEnded()) {
        begun.removeFirst();
      }
    }
    most = Math.min(2 * most, MOST_WORDS);
    return words;
  }
}
