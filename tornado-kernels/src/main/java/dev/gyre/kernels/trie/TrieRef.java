package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Ref;

/**
 * A word trie within a kernel, which reads it: nobody adds words meanwhile, so that all accesses
 * are plain. A word, or a text that begins with one, is a range of bytes, UTF-8 where the alphabet
 * is Unicode's; what is outside of the range is not looked at.
 *
 * @param letters what the letters of a text are
 * @param layout of the nodes
 */
public record TrieRef(
    Letters letters, NodeLayout layout, DeviceInts edges, DeviceLongs counts, long lease)
    implements Ref {

  /** What is no node. */
  private static final int NONE = -1;

  /**
   * The longest word that a text begins with.
   *
   * @param length its bytes; 0 if the text begins with none
   * @param count how often it was found
   */
  public record Prefix(long length, long count) {}

  /** How far a walk came: the node behind all letters, or NONE, and the last word on the way. */
  private record Walk(int node, long longest, long count) {}

  /** How often the word was found that a range of a text is; 0 if that is no word. */
  public long count(Bytes text, long from, long to) {
    Walk walk = walk(text, from, to);
    return walk.node > 0 ? counts.get(TrieLayout.count(walk.node, layout.shift())) : 0;
  }

  /** The longest word that a range of a text begins with. */
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
      // A mark goes on with a word, and begins none.
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

  /** The node behind the steps of a letter; NONE where there is none, or no letter. */
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
