package dev.gyre.structures.trie;

import java.util.Arrays;

/**
 * A walk through the words of a trie that begin with a prefix, in byte order, without recursion,
 * since a word may be millions of letters long.
 *
 * <p>Words may be added meanwhile: they are met or not. The count of a word is that of when it was
 * met.
 */
final class TrieWalk {

  private final TrieNodes nodes;
  private final int radix;
  private final byte[] prefix;
  private final int from;
  // The path from the node of the prefix: nodes, and the steps that lead from each to the next.
  private int[] path = new int[32];
  private int[] nextStep = new int[32];
  private byte[] steps = new byte[32];
  private int depth;
  private boolean begun;
  private long count;

  /**
   * A walk from a node.
   *
   * @param prefix the steps that lead to it from the root
   */
  TrieWalk(TrieNodes nodes, byte[] prefix, int from) {
    this.nodes = nodes;
    this.radix = nodes.alphabet().radix();
    this.prefix = prefix;
    this.from = from;
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
      found = prefix.length > 0 && meet(path[0]);
    }
    while (!found && depth >= 0) {
      if (nextStep[depth] < radix) {
        int step = nextStep[depth]++;
        int child = nodes.child(path[depth], step);
        if (child != 0) {
          descend(child, step);
          found = meet(child);
        }
      } else {
        depth--;
      }
    }
    return found;
  }

  private boolean meet(int node) {
    count = nodes.count(node);
    return count > 0;
  }

  private void descend(int child, int step) {
    if (depth + 1 == path.length) {
      int length = path.length + (path.length >> 1);
      path = Arrays.copyOf(path, length);
      nextStep = Arrays.copyOf(nextStep, length);
      steps = Arrays.copyOf(steps, length);
    }
    steps[depth] = (byte) step;
    depth++;
    path[depth] = child;
    nextStep[depth] = 0;
  }

  /** The steps that lead from the root to the word that the walk is at. */
  byte[] steps() {
    byte[] all = Arrays.copyOf(prefix, prefix.length + depth);
    System.arraycopy(steps, 0, all, prefix.length, depth);
    return all;
  }

  /** How often that word was found. */
  long count() {
    return count;
  }

  /** Both. */
  WordCount wordCount() {
    return new WordCount(Steps.word(nodes.alphabet(), steps()), count);
  }
}
