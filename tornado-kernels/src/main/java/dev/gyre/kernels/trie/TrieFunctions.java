package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.Unsigned;

public final class TrieFunctions {
  public static final int EMPTY = 0;
  public static final int RESERVED = -1;
  public static final int OVERFLOW = -2;
  public static final long FRESH = -1;

  /** Outcome of a strip: it has not run yet. */
  public static final long NOT_RUN = 0;

  /** Outcome of a strip: all its words are counted. */
  public static final long DONE = 1;

  /** Outcome of a strip: the pool of nodes is exhausted; it goes on once there is room. */
  public static final long FULL = 2;

  /** Outcome of a strip: another thread did not publish the node that it had taken, or was interrupted. */
  public static final long STUCK = 3;

  private TrieFunctions() {}

  public static void build(
      int strip,
      int strips,
      Bytes text,
      long length,
      Bytes classes,
      int nodeShift,
      DeviceInts edges,
      DeviceLongs counts,
      long capacity,
      DeviceLongs bump,
      ThreadLongs pending,
      int pendingMask,
      ThreadLongs progress,
      long pollLimit) {
    long end = stripBegin(strip + 1, strips, length);
    long at = progress.get(TrieLayout.position(strip));
    if (at == FRESH) {
      at = wordEnd(text, classes, stripBegin(strip, strips, length), end);
    }
    long stop = at < end ? wordEnd(text, classes, end, length) : at;
    long base = strip * 2L * (pendingMask + 1);
    int node = 0;
    while (at < stop) {
      long word = at;
      long key = 1;
      int letter = classes.get(text.getUnsigned(at));
      while (letter >= 0) {
        key = (key << nodeShift) + letter;
        at++;
        letter = at < stop ? classes.get(text.getUnsigned(at)) : -1;
      }
      if (at > word) {
        boolean packed = (at - word) * nodeShift < 63;
        long slot = base + (Unsigned.shiftRight(key * 0x9E3779B97F4A7C15L, 40) & pendingMask) * 2;
        if (packed && pending.get(slot) == key) {
          pending.set(slot + 1, pending.get(slot + 1) + 1);
        } else {
          node = walk(text, word, at, classes, nodeShift, edges, capacity, bump, pollLimit);
          if (node > 0) {
            if (packed) {
              spill(slot, nodeShift, counts, pending);
              pending.set(slot, key);
              pending.set(slot + 1, ((long) node << 32) + 1);
            } else {
              counts.fetchAddRelaxed(TrieLayout.count(node, nodeShift), 1);
            }
          } else {
            at = word - 1;
            stop = at;
          }
        }
      }
      at++;
    }
    for (int i = 0; i <= pendingMask; i++) {
      spill(base + 2L * i, nodeShift, counts, pending);
    }
    progress.set(TrieLayout.position(strip), at);
    progress.set(TrieLayout.outcome(strip), node >= 0 ? DONE : node == OVERFLOW ? FULL : STUCK);
  }

  static long stripBegin(long strip, int strips, long length) {
    return length / strips * strip + length % strips * strip / strips;
  }

  static long wordEnd(Bytes text, Bytes classes, long begin, long end) {
    long at = begin;
    boolean inside = at > 0 && at < end && classes.get(text.getUnsigned(at - 1)) >= 0;
    while (inside) {
      inside = classes.get(text.getUnsigned(at)) >= 0;
      if (inside) {
        at++;
        inside = at < end;
      }
    }
    return at;
  }

  static int walk(
      Bytes text,
      long begin,
      long end,
      Bytes classes,
      int nodeShift,
      DeviceInts edges,
      long capacity,
      DeviceLongs bump,
      long pollLimit) {
    int node = 0;
    long at = begin;
    while (at < end) {
      long edge = TrieLayout.edge(node, nodeShift, classes.get(text.getUnsigned(at)));
      node = edges.loadAcquire(edge);
      if (node <= 0) {
        node = claim(edges, edge, bump, capacity, pollLimit);
      }
      at = node > 0 ? at + 1 : end;
    }
    return node;
  }

  static void spill(long slot, int nodeShift, DeviceLongs counts, ThreadLongs pending) {
    if (pending.get(slot) != 0) {
      long entry = pending.get(slot + 1);
      counts.fetchAddRelaxed(
          TrieLayout.count((int) (entry >> 32), nodeShift), entry & 0xffff_ffffL);
      pending.set(slot, 0);
    }
  }

  static int claim(DeviceInts edges, long edge, DeviceLongs bump, long capacity, long pollLimit) {
    int child = edges.compareAndExchangeRelaxed(edge, EMPTY, RESERVED);
    if (child == EMPTY) {
      long fresh = bump.fetchAddRelaxed(0, 1);
      child = fresh < capacity ? (int) fresh : OVERFLOW;
      edges.storeRelease(edge, child);
      edges.wakeAll(edge);
    } else {
      child = edges.waitWhileEqualAcquire(edge, RESERVED, pollLimit);
    }
    return child;
  }
}
