package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.TrieLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A walk through the words of a trie in byte order, without recursion, since a word may be millions
 * of letters long.
 */
final class TrieWalk {

  private final TrieNodes nodes;
  private final int radix;
  // The path from the root: nodes, the letters that lead from each to the next, and their bytes.
  private int[] path = new int[32];
  private int[] nextLetter = new int[32];
  private byte[] bytes = new byte[32];
  private int depth;

  TrieWalk(TrieNodes nodes) {
    this.nodes = nodes;
    this.radix = nodes.alphabet().radix();
    path[0] = TrieLayout.ROOT;
  }

  /** Goes on to the next node whose word was found; false if there is none. */
  boolean next() {
    boolean found = false;
    while (!found && depth >= 0) {
      if (nextLetter[depth] < radix) {
        int letter = nextLetter[depth]++;
        int child = nodes.child(path[depth], letter);
        if (child != 0) {
          descend(child, letter);
          found = nodes.count(child) > 0;
        }
      } else {
        depth--;
      }
    }
    return found;
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

  /** The word that the walk is at. */
  String word() {
    return new String(bytes, 0, depth, StandardCharsets.UTF_8);
  }

  /** How often that word was found. */
  long count() {
    return nodes.count(path[depth]);
  }
}
