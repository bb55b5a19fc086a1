package dev.gyre.kernels.trie;

/**
 * How large the nodes of a word trie are, and along which of their edges a step of a letter goes:
 * along one, or along two, of which the second is of a node <em>between</em>. No word ends in such
 * a node. Whatever takes nodes one by one, and edges as they are, need not tell them from others.
 *
 * <p>Edges are in the order of steps, so that a walk by their numbers gives words in byte order.
 *
 * <p>These are device functions as well as helpers of the host.
 */
public sealed interface NodeLayout permits LargeNodes, SmallNodes {

  /** A node has {@code 1 << shift()} ints; see {@link TrieLayout}. */
  int shift();

  /** Whether a step goes along two edges. */
  boolean isSplit();

  /** The first edge that a step goes along. */
  int first(int step);

  /** The other one, if there are two; else 0. */
  int second(int step);

  /** The step that goes along these edges. */
  int step(int first, int second);
}
