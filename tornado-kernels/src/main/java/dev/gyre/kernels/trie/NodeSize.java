package dev.gyre.kernels.trie;

/**
 * How large the nodes of a word trie are. The nodes of most words have one child or none, so that
 * most of a node with room for all letters is not used.
 */
public enum NodeSize {

  /** 128 bytes, an edge for each step of a letter. */
  LARGE,

  /**
   * 32 bytes: a step goes along two edges, with a node between them, which those steps share that
   * are near each other in the alphabet. So there are up to twice as many nodes, in about half of
   * the memory.
   */
  SMALL;

  /** What kernels are told of it. */
  public NodeLayout layout() {
    return this == SMALL ? new SmallNodes() : new LargeNodes();
  }

  /** Bytes of a node. */
  public long bytes() {
    return TrieLayout.nodeBytes(layout().shift());
  }

  /** Edges that a step goes along. */
  public int edgesPerStep() {
    return layout().isSplit() ? 2 : 1;
  }

  /** The edges that steps go along. */
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

  /** The steps that go along edges; the other way around. */
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
