package dev.gyre.structures.trie;

import java.nio.charset.StandardCharsets;
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
  // The path from the node of the prefix: nodes, the letters that lead from each to the next, and
  // their bytes.
  private int[] path = new int[32];
  private int[] nextLetter = new int[32];
  private byte[] bytes = new byte[32];
  private int depth;
  private boolean begun;
  private long count;

  /**
   * A walk from a node.
   *
   * @param prefix the bytes that lead to it, as the alphabet writes them
   */
  TrieWalk(TrieNodes nodes, byte[] prefix, int from) {
    this.nodes = nodes;
    this.radix = nodes.alphabet().radix();
    this.prefix = prefix;
    path[0] = from;
  }

  /** Goes on to the next node whose word was found; false if there is none. */
  boolean next() {
    boolean found = false;
    if (!begun) {
      begun = true;
      found = prefix.length > 0 && meet(path[0]);
    }
    while (!found && depth >= 0) {
      if (nextLetter[depth] < radix) {
        int letter = nextLetter[depth]++;
        int child = nodes.child(path[depth], letter);
        if (child != 0) {
          descend(child, letter);
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

  private void descend(int child, int letter) {
    if (depth + 1 == path.length) {
      int length = path.length + (path.length >> 1);
      path = Arrays.copyOf(path, length);
      nextLetter = Arrays.copyOf(nextLetter, length);
      bytes = Arrays.copyOf(bytes, length);
    }
    bytes[depth] = nodes.alphabet().byteOf(letter);
    depth++;
    path[depth] = child;
    nextLetter[depth] = 0;
  }

  /** The word that the walk is at, as bytes. */
  byte[] word() {
    byte[] word = Arrays.copyOf(prefix, prefix.length + depth);
    System.arraycopy(bytes, 0, word, prefix.length, depth);
    return word;
  }

  /** How often that word was found. */
  long count() {
    return count;
  }

  /** Both. */
  WordCount wordCount() {
    return new WordCount(new String(word(), StandardCharsets.UTF_8), count);
  }
}
