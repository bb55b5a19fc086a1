package dev.gyre.kernels.trie;

import dev.gyre.atomics.Internal;

/**
 * Size of the nodes of a word trie. Most nodes have at most one child, so that most of a large node
 * is unused.
 *
 * @since 0.1.0
 */
public enum NodeSize {

  /** 128 bytes, with an edge per step of a letter. */
  LARGE,

  /**
   * 32 bytes. A step leads along two edges with a node between them, which neighbouring steps in
   * the alphabet share. There are up to twice as many nodes, in about half of the memory.
   */
  SMALL;

  /** Returns the layout for kernels. */
  @Internal
  public NodeLayout layout() {
    return this == SMALL ? new SmallNodes() : new LargeNodes();
  }

  /** Returns the size of a node, in bytes. */
  public long bytes() {
    return TrieLayout.nodeBytes(layout().shift());
  }

  /** Returns the number of edges of a step. */
  @Internal
  public int edgesPerStep() {
    return layout().isSplit() ? 2 : 1;
  }

  /** Returns the edges of some steps. */
  @Internal
  public byte[] edges(byte[] steps) {
    NodeLayout layout = layout();
    if (!layout.isSplit()) {
      return steps;
    }
    byte[] edges = new byte[2 * steps.length];
    for (int at = 0; at < steps.length; at++) {
      edges[2 * at] = (byte) layout.first(steps[at]);
      edges[2 * at + 1] = (byte) layout.second(steps[at]);
    }
    return edges;
  }

  /** Returns the steps of some edges. */
  @Internal
  public byte[] steps(byte[] edges) {
    NodeLayout layout = layout();
    if (!layout.isSplit()) {
      return edges;
    }
    byte[] steps = new byte[edges.length / 2];
    for (int at = 0; at < steps.length; at++) {
      steps[at] = (byte) layout.step(edges[2 * at], edges[2 * at + 1]);
    }
    return steps;
  }
}
