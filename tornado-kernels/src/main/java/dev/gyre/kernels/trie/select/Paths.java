package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Paths from the nodes of a trie to the root. A node has a higher number than its parent, so that
 * every path ends. A step is one edge here, whatever it is to a letter.
 *
 * @param edges edges of all nodes
 * @param nodeShift as in {@link TrieLayout#edge}
 * @param parents parent of each node
 */
public record Paths(DeviceInts edges, int nodeShift, DeviceInts parents) {

  /** Largest number of steps of a word that are followed. */
  public static final int MOST_STEPS = 1 << 12;

  /**
   * Returns the number of steps from the root to a node; more than {@link #MOST_STEPS} if there are
   * more.
   */
  int depth(int node) {
    int at = node;
    int steps = 0;
    while (Math.min(at, MOST_STEPS + 1 - steps) > 0) {
      at = parents.get(at);
      steps++;
    }
    return steps;
  }

  /** Returns the step from a parent to its child. */
  int step(int parent, int child) {
    int left = (1 << nodeShift) - Long.BYTES / Integer.BYTES;
    int step = -1;
    while (left > 0) {
      step++;
      int there = edges.get(TrieLayout.edge(parent, nodeShift, step));
      left = there == child ? 0 : left - 1;
    }
    return step;
  }

  /** Writes a number of steps from the root to a node. */
  void spell(int node, int depth, Bytes into, long from) {
    int child = node;
    for (int at = depth - 1; at >= 0; at--) {
      int parent = parents.get(child);
      into.set(from + at, (byte) step(parent, child));
      child = parent;
    }
  }
}
