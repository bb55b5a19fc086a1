package dev.gyre.kernels.trie;

import dev.gyre.atomics.Internal;

/**
 * Layout of the nodes of a word trie: their size, and the edges of a step.
 *
 * <p>A step leads along one edge, or along two, the second of which belongs to a node
 * <em>between</em>. No word ends in such a node. Code that visits all nodes and edges need not
 * distinguish them. Edges are in the order of steps, so that a walk in this order gives words in
 * byte order. The methods are device functions, which the host uses too.
 *
 * @since 0.1.0
 */
@Internal
public sealed interface NodeLayout permits LargeNodes, SmallNodes {

  /**
   * Returns the shift of the node size: a node has {@code 1 << shift()} ints; see {@link
   * TrieLayout}.
   */
  int shift();

  /** Returns whether a step leads along two edges. */
  boolean isSplit();

  /** Returns the first edge of a step. */
  int first(int step);

  /** Returns the second edge of a step, or 0. */
  int second(int step);

  /** Returns the step of two edges. */
  int step(int first, int second);
}
