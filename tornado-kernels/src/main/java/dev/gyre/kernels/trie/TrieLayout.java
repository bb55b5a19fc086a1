package dev.gyre.kernels.trie;

/**
 * Memory layout of a word trie.
 *
 * <p>A trie is one block of nodes of equal size, a power of two of ints. A node begins at its
 * number times its size. It contains edges, each an int, and in its last eight bytes its count, a
 * long. The {@link NodeLayout} defines the edges of a letter. Node 0 is the root. It is no node's
 * child, so that 0 stands for an edge without a node. Nodes are numbered in the order of their
 * creation, and all bits of a node that was not created are 0.
 *
 * <p>These are device functions, which the host uses too.
 *
 * @since 0.1.0
 */
public final class TrieLayout {

  /** Number of the root. */
  public static final int ROOT = 0;

  /** Largest number of nodes: numbers of nodes are positive ints. */
  public static final long MAX_NODES = 1L << 31;

  /** Number of longs of {@code ended}: outcomes are counted in stripes, to reduce contention. */
  public static final int ENDED_LONGS = 256;

  /** Number of outcomes of a stripe; outcome i is at index i. */
  public static final int ENDED_OUTCOMES = 4;

  /** Outcome of a strip or a block: it ran. */
  public static final long RUN = 1;

  /** Outcome: words were left because the pool of nodes is exhausted. */
  public static final long FULL = 2;

  /**
   * Outcome: words were left because another thread took a node and did not publish it before the
   * poll limit, or (JVM) because the thread was interrupted.
   */
  public static final long STUCK = 3;

  private TrieLayout() {}

  /** Returns the size of a node of {@code 1 << nodeShift} ints, in bytes. */
  public static long nodeBytes(int nodeShift) {
    return (long) Integer.BYTES << nodeShift;
  }

  /** Returns the index of an edge, as an int of the block of nodes. */
  public static long edge(int node, int nodeShift, int number) {
    return ((long) node << nodeShift) + number;
  }

  /** Returns the index of a node's count, as a long of the block of nodes. */
  public static long count(int node, int nodeShift) {
    return ((node + 1L) << (nodeShift - 1)) - 1;
  }

  /** Returns the beginning of a strip: {@code length * strip / strips} without overflow. */
  public static long stripBegin(long strip, int strips, long length) {
    return length / strips * strip + length % strips * strip / strips;
  }

  /** Returns the index in {@code ended} of the outcome of a strip or a thread. */
  public static long ended(int strip, long outcome) {
    return ((long) strip * ENDED_OUTCOMES + outcome) & (ENDED_LONGS - 1);
  }
}
