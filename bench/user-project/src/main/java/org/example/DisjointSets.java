package org.example;

import dev.gyre.atomics.DeviceInts;

/**
 * Nodes in disjoint sets, united by many threads at once: each node has a parent, a root is its
 * own. Links go from the larger root to the smaller, so that no circle can arise, and a root has
 * one winner, by compare-and-set; who lost goes on from the root that is there now. All is relaxed:
 * the parents are all that there is to see.
 *
 * @param parents one int per node, at first its own number
 */
record DisjointSets(DeviceInts parents) {

  /** The root of a node's set; halves the path to it. */
  int find(int node) {
    int at = node;
    int parent = parents.loadRelaxed(at);
    while (parent != at) {
      int next = parents.loadRelaxed(parent);
      // Only a root gets linked, and this is none: any ancestor will do, also a stale one.
      parents.storeRelaxed(at, next);
      at = parent;
      parent = next;
    }
    return at;
  }

  /** Unites the sets of two nodes; whether this call did it. */
  boolean unite(int one, int other) {
    int x = find(one);
    int y = find(other);
    boolean won = false;
    while (!won & x != y) {
      int high = Math.max(x, y);
      int low = Math.min(x, y);
      won = parents.compareAndSetRelaxed(high, high, low);
      x = find(high);
      y = find(low);
    }
    return won;
  }
}
