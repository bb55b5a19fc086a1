package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import java.util.Arrays;

/**
 * A walk through the words of a trie that begin with a prefix, in byte order, without recursion,
 * since a word may be millions of letters long.
 *
 * <p>The pool of nodes must stay. Words may be added meanwhile: they are met or not. The count of a
 * word is that of when it was met.
 */
final class TrieWalk {

  private final Alphabet alphabet;
  private final TriePool pool;
  private final long[] room;
  private final int prefixLength;
  private final int from;
  private final long made;
  // The path from the node of the prefix: nodes, and pairs of steps from each that are left, with
  // whether the second of the next pair is the next.
  private int[] path = new int[32];
  private int[] pairs = new int[32];
  private boolean[] second = new boolean[32];
  // Those of the prefix come first.
  private byte[] steps;
  private int depth;
  private boolean begun;
  private long count;

  /**
   * A walk from a node.
   *
   * @param prefix the steps that lead to it from the root
   * @param made how many nodes there are for it: those made later are not met
   */
  TrieWalk(TrieNodes nodes, byte[] prefix, int from, long made) {
    this.alphabet = nodes.alphabet();
    this.pool = nodes.pool();
    this.room = pool.room();
    this.prefixLength = prefix.length;
    this.from = from;
    this.made = made;
    this.steps = Arrays.copyOf(prefix, prefix.length + path.length);
    path[0] = from;
  }

  /** Where the walk begins. */
  int from() {
    return from;
  }

  /** Goes on to the next node whose word was found; false if there is none. */
  boolean next() {
    boolean found = false;
    if (!begun) {
      begun = true;
      pairs[0] = pool.pairs(from, room);
      found = prefixLength > 0 && meet(path[0]);
    }
    while (!found && depth >= 0) {
      if (pairs[depth] == 0) {
        depth--;
      } else {
        found = nextStep();
      }
    }
    return found;
  }

  /** Goes along the next step from the end of the path; returns whether that comes to a word. */
  private boolean nextStep() {
    int step = 2 * Integer.numberOfTrailingZeros(pairs[depth]);
    if (second[depth]) {
      step++;
      pairs[depth] &= pairs[depth] - 1;
    }
    second[depth] = !second[depth];
    int child = pool.child(path[depth], step);
    boolean there = child != 0 && child < made;
    if (there) {
      descend(child, step);
    }
    return there && meet(child);
  }

  /**
   * Begins behind a word, which need not be there any more.
   *
   * @param last its steps from the root, the first of them those of the prefix
   */
  void goBehind(byte[] last) {
    begun = true;
    pairs[0] = pool.pairs(from, room);
    boolean there = true;
    for (int at = prefixLength; there && at < last.length; at++) {
      int step = last[at];
      int pair = step / 2;
      // What is left behind the step: the pairs after its own, and the other half of that.
      boolean half = step % 2 == 0;
      pairs[depth] &= -1 << pair << (half ? 0 : 1);
      second[depth] = half && (pairs[depth] & 1 << pair) != 0;
      int child = pool.child(path[depth], step);
      there = child != 0 && child < made;
      if (there) {
        descend(child, step);
      }
    }
  }

  private boolean meet(int node) {
    count = pool.count(node);
    return count > 0;
  }

  private void descend(int child, int step) {
    if (depth + 1 == path.length) {
      int length = path.length + (path.length >> 1);
      path = Arrays.copyOf(path, length);
      pairs = Arrays.copyOf(pairs, length);
      second = Arrays.copyOf(second, length);
      steps = Arrays.copyOf(steps, prefixLength + length);
    }
    steps[prefixLength + depth] = (byte) step;
    depth++;
    path[depth] = child;
    pairs[depth] = pool.pairs(child, room);
    second[depth] = false;
  }

  /** The steps that lead from the root to the word that the walk is at. */
  byte[] steps() {
    return Arrays.copyOf(steps, prefixLength + depth);
  }

  /** How often that word was found. */
  long count() {
    return count;
  }

  /** Both. */
  WordCount wordCount() {
    return new WordCount(Steps.word(alphabet, steps()), count);
  }
}
