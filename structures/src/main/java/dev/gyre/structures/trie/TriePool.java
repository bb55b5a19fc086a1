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
 * closed: the memory then throws an {@link IllegalStateException}, whatever the reader is at.
 *
 * @param capacity number of nodes that there is room for
 * @param numbering the same object where a node has the same number, as in a pool that has grown
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

  /** The child along an edge, or 0 if there is none. */
  int child(int node, int edge) {
    return Math.max(0, edges.loadAcquire(TrieLayout.edge(node, nodeShift, edge)));
  }

  /** The node behind a step, or 0 if there is none. */
  int through(int node, int step) {
    int child = child(node, layout.first(step));
    return layout.isSplit() && child != 0 ? child(child, layout.second(step)) : child;
  }

  /** The edge from a node to one of its children; less than 0 if it is not its child. */
  int edge(int node, int child) {
    int edge = mostChildren() - 1;
    while (edge >= 0 && child(node, edge) != child) {
      edge--;
    }
    return edge;
  }

  /**
   * The edges of a node, in pairs: bit i for the edges 2i and 2i + 1, set where one of them leads
   * to a child, or is about to.
   *
   * @param room for a node, as longs
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
   * Puts the children of a node into an array.
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

  /** Most children of a node, and as much room as {@link #children} needs, in ints. */
  int mostChildren() {
    return (1 << nodeShift) - 2;
  }

  /** Longs of a node: its edges, two in each, and at the end its count. */
  int nodeLongs() {
    return (int) (TrieLayout.nodeBytes(nodeShift) / Long.BYTES);
  }

  /**
   * Reads nodes as they lie in memory.
   *
   * @param to the number after the last
   */
  void read(int from, int to, long[] into) {
    // plain: a hint. What is made beside this may be missed, as if it came later; a child that is
    // needed is loaded with acquire.
    MemorySegment.copy(
        memory.segment(),
        ValueLayout.JAVA_LONG,
        from * TrieLayout.nodeBytes(nodeShift),
        into,
        0,
        (to - from) * nodeLongs());
  }

  /** How often the word that ends in a node was found. */
  long count(int node) {
    return counts.loadRelaxed(TrieLayout.count(node, nodeShift));
  }
}
