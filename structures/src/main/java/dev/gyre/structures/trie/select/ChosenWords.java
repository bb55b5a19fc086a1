package dev.gyre.structures.trie.select;

import dev.gyre.kernels.trie.select.ChooseWords;

/** Words as a device chose them: the edges that lead to each, and how often it was found. */
public final class ChosenWords {

  private static final ChosenWords NONE = new ChosenWords(0, new long[0], new byte[0]);

  private final int size;
  private final long[] words;
  private final byte[] edges;

  /**
   * Words.
   *
   * @param words two longs for each, see {@link ChooseWords}; the longs of the edges are counted
   *     from behind them
   */
  ChosenWords(int size, long[] words, byte[] edges) {
    this.size = size;
    this.words = words;
    this.edges = edges;
  }

  static ChosenWords none() {
    return NONE;
  }

  /** Number of words. */
  public int size() {
    return size;
  }

  /** How often a word was found. */
  public long count(int word) {
    return words[2 * word];
  }

  /** The edges from the root to a word. */
  public byte[] path(int word) {
    long place = words[2 * word + 1];
    byte[] all = new byte[(int) place & (1 << ChooseWords.DEPTH_BITS) - 1];
    long from = ((place >> ChooseWords.DEPTH_BITS) - words.length) * Long.BYTES;
    System.arraycopy(edges, (int) from, all, 0, all.length);
    return all;
  }
}
