package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;

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
    long end = length * (strip + 1) / strips;
    long at = progress.get(TrieLayout.position(strip));
    if (at == FRESH) {
      at = firstWord(text, classes, length * strip / strips, end);
    }
    long word = at;
    long stop = at < end ? end : at;
    int node = 0;
    int failure = 0;
    long pendingBase = (long) strip * (pendingMask + 1);
    while (at < stop) {
      int letter = classes.get(text.getUnsigned(at));
      if (letter >= 0) {
        long edge = ((long) node << nodeShift) + letter;
        int child = edges.loadAcquire(edge);
        if (child <= 0) {
          child = claim(edges, edge, child, bump, capacity, pollLimit);
        }
        if (child > 0) {
          node = child;
        } else {
          failure = child;
          node = 0;
          stop = -1;
        }
      } else {
        if (node != 0) {
          count(node, nodeShift, counts, pending, pendingBase, pendingMask);
        }
        node = 0;
        word = at + 1;
      }
      at++;
      if (at == stop && node != 0 && stop < length) {
        stop++;
      }
    }
    if (node != 0) {
      count(node, nodeShift, counts, pending, pendingBase, pendingMask);
    }
    flush(nodeShift, counts, pending, pendingBase, pendingMask);
    progress.set(TrieLayout.position(strip), stop == -1 ? word : stop);
    progress.set(TrieLayout.outcome(strip), failure == 0 ? DONE : failure == OVERFLOW ? FULL : STUCK);
  }

  static long firstWord(Bytes text, Bytes classes, long begin, long end) {
    long at = begin;
    boolean inside = at > 0 && at < end && classes.get(text.getUnsigned(at - 1)) >= 0;
    while (inside) {
      inside = classes.get(text.getUnsigned(at)) >= 0;
      if (inside) { at++; inside = at < end; }
    }
    return at;
  }

  /**
   * Makes the child along an edge, or waits for who makes it.
   *
   * @param seen what the edge held: no child
   * @return the child, or {@link #OVERFLOW}, or {@link #RESERVED} if the wait gave up
   */
  static int claim(
      DeviceInts edges, long edge, int seen, DeviceLongs bump, long capacity, long pollLimit) {
    int child = RESERVED;
    // An edge on which a launch before ran out of nodes is claimed like one that nobody has met.
    if (seen != RESERVED) {
      child = edges.compareAndExchangeRelaxed(edge, seen, RESERVED);
      if (child == seen) {
        long fresh = bump.fetchAddRelaxed(0, 1);
        child = fresh < capacity ? (int) fresh : OVERFLOW;
        edges.storeRelease(edge, child);
        edges.wakeAll(edge);
      }
    }
    if (child == RESERVED) {
      child = edges.waitWhileEqualAcquire(edge, RESERVED, pollLimit);
    }
    return child;
  }

  static void count(int node, int nodeShift, DeviceLongs counts, ThreadLongs pending, long base, int mask) {
    long slot = base + (node & mask);
    long entry = pending.get(slot);
    if ((int) (entry >> 32) == node) {
      pending.set(slot, entry + 1);
    } else {
      if (entry != 0) {
        counts.fetchAddRelaxed(countOf((int) (entry >> 32), nodeShift), entry & 0xffffffffL);
      }
      pending.set(slot, ((long) node << 32) + 1);
    }
  }

  static void flush(int nodeShift, DeviceLongs counts, ThreadLongs pending, long base, int mask) {
    for (int i = 0; i <= mask; i++) {
      long entry = pending.get(base + i);
      if (entry != 0) {
        counts.fetchAddRelaxed(countOf((int) (entry >> 32), nodeShift), entry & 0xffffffffL);
        pending.set(base + i, 0);
      }
    }
  }

  static long countOf(int node, int nodeShift) {
    return ((long) (node + 1) << (nodeShift - 1)) - 1;
  }
}
