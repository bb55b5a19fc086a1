package dev.gyre.kernels.trie;

/**
 * Where things lie in the memory of a word trie.
 *
 * <p>A trie is one block of nodes of equal size, a power of two of ints: a node's number times its
 * size is where it begins. A node holds edges, each an int, and in its last eight bytes its count,
 * a long; which edges lead to a letter is the business of a {@link NodeLayout}. Node 0 is the root;
 * it is nobody's child, so 0 can stand for an edge that leads nowhere yet. Nodes are numbered in
 * the order in which they are made, and all bits of a node that is not made are 0.
 *
 * <p>These are device functions as well as helpers of the host.
 */
public final class TrieLayout {

  /** The number of the root. */
  public static final int ROOT = 0;

  /** Most nodes of a trie: numbers of nodes are positive ints. */
  public static final long MAX_NODES = 1L << 31;

  /** Longs of {@code ended}: outcomes are counted in stripes, for fewer threads to each counter. */
  public static final int ENDED_LONGS = 256;

  /** Outcomes of a stripe, that of number i at index i. */
  public static final int ENDED_OUTCOMES = 4;

  /** Outcome of a strip or a block: it was run. */
  public static final long RUN = 1;

  /** Outcome: words were left since the pool of nodes is exhausted, until there is room. */
  public static final long FULL = 2;

  /**
   * Outcome: words were left after waiting in vain for a node that another thread had taken and did
   * not publish, at the poll limit or (JVM) because it was interrupted.
   */
  public static final long STUCK = 3;

  private TrieLayout() {}

  /** Size of a node of {@code 1 << nodeShift} ints, in bytes. */
  public static long nodeBytes(int nodeShift) {
    return (long) Integer.BYTES << nodeShift;
  }

  /** Index of an edge, as an int of the block of nodes. */
  public static long edge(int node, int nodeShift, int number) {
    return ((long) node << nodeShift) + number;
  }

  /** Index of a node's count, as a long of the block of nodes. */
  public static long count(int node, int nodeShift) {
    return ((node + 1L) << (nodeShift - 1)) - 1;
  }

  /** Where a strip begins, {@code length * strip / strips} without overflow. */
  public static long stripBegin(long strip, int strips, long length) {
    return length / strips * strip + length % strips * strip / strips;
  }

  /** Index in {@code ended} where a strip or a thread counts its outcome. */
  public static long ended(int strip, long outcome) {
    return ((long) strip * ENDED_OUTCOMES + outcome) & (ENDED_LONGS - 1);
  }
}
