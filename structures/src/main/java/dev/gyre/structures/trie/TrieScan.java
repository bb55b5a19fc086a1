package dev.gyre.structures.trie;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words of a trie that begin with a prefix, in byte order, some at a time: between two times
 * the pool of nodes may be replaced, and nodes numbered anew. Each time the walk begins behind the
 * last word.
 *
 * <p>Words for which there was no node at first are not met, so that there is an end, whatever is
 * added meanwhile.
 */
final class TrieScan {

  /** Words may be long: there are no more at a time, once they have so many letters. */
  private static final long MANY_STEPS = 1 << 16;

  private final TrieNodes nodes;
  private final TrieViews views;
  private final byte @Nullable [] prefix;
  private final long made;
  private byte @Nullable [] last;
  private boolean ended;

  /**
   * A scan that has not begun.
   *
   * @param prefix its steps from the root; null where no word begins with it
   * @param made how many nodes there were at first
   */
  TrieScan(TrieNodes nodes, TrieViews views, byte @Nullable [] prefix, long made) {
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
    long steps = 0;
    while (walk != null && words.size() < most && steps < MANY_STEPS && walk.next()) {
      words.add(walk.wordCount());
      last = walk.steps();
      steps += last.length;
    }
    ended = words.size() < most && steps < MANY_STEPS;
    return words;
  }

  /** A walk from behind the last word; null where there is nothing any more. */
  private @Nullable TrieWalk walk() {
    byte[] from = prefix;
    int node = from == null ? TrieViews.NONE : views.node(from);
    if (from == null || node == TrieViews.NONE) {
      return null;
    }
    TrieWalk walk = new TrieWalk(nodes, from, node, made);
    if (last != null) {
      walk.goBehind(last);
    }
    return walk;
  }
}
