package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.NodeLayout;
import dev.gyre.kernels.trie.TrieLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

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
   * @param room buffer for a node, as longs
   */
  int pairs(int node, long[] room) {
    read(node, node + 1, room);
    int pairs = 0;
    for (int i = 0; i < room.length - 1; i++) {
      pairs |= (int) ((room[i] | -room[i]) >>> (Long.SIZE - 1)) << i;
    }
    return pairs;
  }

  /**
   * Writes the children of a node to an array.
   *
   * @return the index after the last of them
   */
  int children(int node, int[] into, int from) {
    int most = mostChildren();
    long pairs = TrieLayout.edge(node, nodeShift, 0) / 2;
    int end = from;
    for (int edge = 0; edge < most; edge += 2) {
      // plain: a hint, as in pairs.
      if (counts.get(pairs + edge / 2) != 0) {
        int first = child(node, edge);
        int second = child(node, edge + 1);
        into[end] = first;
        end += first == 0 ? 0 : 1;
        into[end] = second;
        end += second == 0 ? 0 : 1;
      }
    }
    return end;
  }

  /**
   * Returns the largest number of children of a node, which is also the buffer size that {@link
   * #children} needs, in ints.
   */
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
