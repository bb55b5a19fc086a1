package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * Memory for nodes. A reader that has not {@linkplain TrieNodes#enterRead entered} may find it
 * closed: at any access, the memory then throws an {@link IllegalStateException}.
 *
 * @param capacity largest number of nodes
 * @param numbering the same object if nodes have the same numbers, as in a pool that has grown
 */
record TriePool(
    Memory memory,
    NodeLayout layout,
    int nodeShift,
    DeviceInts edges,
    DeviceLongs counts,
    long capacity,
    Object numbering) {

  /** Number of nodes that a thread processes at a time, and that it copies at a time. */
  static final int TASK_NODES = 1 << 11;

  private static final int BLOCK_NODES = 1 << 7;

  static TriePool of(Memory memory, NodeLayout layout, Object numbering) {
    return new TriePool(
        memory,
        layout,
        layout.shift(),
        DeviceInts.of(memory),
        DeviceLongs.of(memory),
        memory.byteSize() / TrieLayout.nodeBytes(layout.shift()),
        numbering);
  }

  /** Returns the child along an edge; 0 if the edge is empty. */
  int child(int node, int edge) {
    return Math.max(0, edges.loadAcquire(TrieLayout.edge(node, nodeShift, edge)));
  }

  /** Returns the node after a step; 0 if it does not exist. */
  int through(int node, int step) {
    int child = child(node, layout.first(step));
    return layout.isSplit() && child != 0 ? child(child, layout.second(step)) : child;
  }

  /** Takes a node to which a step leads. */
  @FunctionalInterface
  interface Taker {
    void take(int step, int child);
  }

  /**
   * Passes each node to which a step leads from a node.
   *
   * @param byEdges whether each edge counts as a step of its own
   */
  void forEachStep(int node, boolean byEdges, Taker taker) {
    int most = mostChildren();
    boolean split = layout.isSplit() && !byEdges;
    for (int edge = 0; edge < most; edge++) {
      int child = child(node, edge);
      int seconds = child == 0 ? 0 : split ? most : 1;
      for (int second = 0; second < seconds; second++) {
        int behind = split ? child(child, second) : child;
        if (behind != 0) {
          taker.take(split ? layout.step(edge, second) : edge, behind);
        }
      }
    }
  }

  /** Returns the edge from a node to a child; negative if it is not its child. */
  int edge(int node, int child) {
    int edge = mostChildren() - 1;
    while (edge >= 0 && child(node, edge) != child) {
      edge--;
    }
    return edge;
  }

  /**
   * Returns the edges of a node, in pairs: bit i, for the edges 2i and 2i + 1, is set if one of
   * them leads to a child, or is about to.
   *
   * @param buffer buffer for a node, as longs
   */
  int pairs(int node, long[] buffer) {
    read(node, node + 1, buffer);
    int pairs = 0;
    for (int i = 0; i < buffer.length - 1; i++) {
      pairs |= (int) ((buffer[i] | -buffer[i]) >>> (Long.SIZE - 1)) << i;
    }
    return pairs;
  }

  /**
   * Returns the parent of each node, and the root for the root; by several threads. Each node but
   * the root has one.
   *
   * @param to number after the last node
   */
  int[] parents(int to) {
    int[] parents = new int[to];
    IntStream.range(0, Math.ceilDiv(to, TASK_NODES))
        .parallel()
        .forEach(task -> noteChildren(task * TASK_NODES, parents));
    return parents;
  }

  /** Notes the children of a task's nodes. */
  private void noteChildren(int begin, int[] parents) {
    int nodeLongs = nodeLongs();
    long[] block = new long[BLOCK_NODES * nodeLongs];
    int end = Math.min(parents.length, begin + TASK_NODES);
    for (int from = begin; from < end; from += BLOCK_NODES) {
      int to = Math.min(end, from + BLOCK_NODES);
      // A child that is missed keeps the root as its parent.
      read(from, to, block);
      for (int node = from; node < to; node++) {
        int at = (node - from) * nodeLongs;
        for (int i = at; i < at + nodeLongs - 1; i++) {
          if (block[i] != 0) {
            noteChild(node, (int) block[i], parents);
            noteChild(node, (int) (block[i] >> Integer.SIZE), parents);
          }
        }
      }
    }
  }

  private static void noteChild(int node, int child, int[] parents) {
    if (child > 0 && child < parents.length) {
      parents[child] = node;
    }
  }

  /** Returns the largest number of children of a node. */
  int mostChildren() {
    return (1 << nodeShift) - 2;
  }

  /** Returns the number of longs of a node: its edges, two in each, and at the end its count. */
  int nodeLongs() {
    return (int) (TrieLayout.nodeBytes(nodeShift) / Long.BYTES);
  }

  /**
   * Reads nodes in the order of memory.
   *
   * @param to number after the last
   */
  void read(int from, int to, long[] into) {
    // plain: a hint. A concurrent change may be missed, as if it came later; a child that is needed
    // is loaded with acquire.
    MemorySegment.copy(
        memory.segment(),
        ValueLayout.JAVA_LONG,
        from * TrieLayout.nodeBytes(nodeShift),
        into,
        0,
        (to - from) * nodeLongs());
  }

  /** Returns the count of the word that ends in a node. */
  long count(int node) {
    return counts.loadRelaxed(TrieLayout.count(node, nodeShift));
  }
}
