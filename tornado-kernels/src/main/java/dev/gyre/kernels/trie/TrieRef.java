package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Ref;

/**
 * Gives a kernel read access to a word trie. No thread adds words during the launch, so that all
 * accesses are plain.
 *
 * <p>A word, or a text that begins with one, is a range of bytes: UTF-8 for the Unicode alphabet.
 * Bytes outside the range are not read.
 *
 * @param letters letters of the text
 * @param layout layout of the nodes
 * @since 0.1.0
 */
public record TrieRef(
    @Internal Letters letters,
    @Internal NodeLayout layout,
    @Internal DeviceInts edges,
    @Internal DeviceLongs counts,
    long lease)
    implements Ref {

  @Internal
  public TrieRef {}

  /** Stands for no node. */
  private static final int NONE = -1;

  /**
   * Longest word that is a prefix of a text.
   *
   * @param length its length in bytes; 0 if there is no such word
   * @param count its count
   */
  public record Prefix(long length, long count) {}

  /** Result of a walk: the node after all letters, or NONE, and the last word on the way. */
  private record Walk(int node, long longest, long count) {}

  /** Returns the count of the word that is a range of a text; 0 if it is not a word of the trie. */
  public long count(Bytes text, long from, long to) {
    Walk walk = walk(text, from, to);
    return walk.node > 0 ? counts.get(TrieLayout.count(walk.node, layout.shift())) : 0;
  }

  /** Returns the longest word that is a prefix of a range of a text. */
  public Prefix longestPrefix(Bytes text, long from, long to) {
    Walk walk = walk(text, from, to);
    return new Prefix(walk.longest - from, walk.count);
  }

  private Walk walk(Bytes text, long from, long to) {
    int node = TrieLayout.ROOT;
    long at = from;
    long longest = from;
    long times = 0;
    boolean on = at < to;
    while (on) {
      long letter = letters.letterAt(text, at, to);
      // A mark continues a word and does not begin one.
      int begins = at == from ? Letter.beginning(letter) : 1;
      node = through(node, begins * Letter.steps(letter));
      at += Letter.bytes(letter);
      long found = 0;
      if (node > 0) {
        found = counts.get(TrieLayout.count(node, layout.shift()));
      }
      longest = found > 0 ? at : longest;
      times = found > 0 ? found : times;
      on = Math.min(node, to - at) > 0;
    }
    return new Walk(node, longest, times);
  }

  /** Returns the node after the steps of a letter; NONE if there is no such node or letter. */
  private int through(int from, int steps) {
    int node = steps > 0 ? from : NONE;
    int rest = steps;
    while (rest > 0) {
      int child = child(node, layout.first(Letter.step(rest)));
      if (layout.isSplit() && child > 0) {
        child = child(child, layout.second(Letter.step(rest)));
      }
      node = child > 0 ? child : NONE;
      rest = child > 0 ? rest >> Letter.STEP_BITS : 0;
    }
    return node;
  }

  private int child(int node, int edge) {
    return edges.get(TrieLayout.edge(node, layout.shift(), edge));
  }
}
