package dev.gyre.structures.map.table;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Room of a table that was taken ahead, for single keys that are to come: each thread takes one key
 * at a time from a counter of its own, so that threads which insert do not share a cache line.
 *
 * <p>What is here counts as taken until it is {@linkplain #fetch fetched}, which anybody may do at
 * any time; who finds no more room elsewhere does. Who counts keys subtracts what is left. Each
 * counter changes by atomic steps alone, so that room is neither lost nor used twice.
 */
final class Ahead {

  /** Most keys that are taken ahead at a time. */
  private static final int MOST = 64;

  private static final int LINE = 16;
  private static final int STRIPES =
      Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

  private final AtomicLongArray left = new AtomicLongArray((STRIPES + 1) * LINE);

  private static int stripe() {
    long hash = Thread.currentThread().threadId() * 0x9e3779b97f4a7c15L;
    return LINE * (1 + (int) (hash >>> 32 & (STRIPES - 1)));
  }

  /** Takes room for a key; returns whether there was some. */
  boolean takeOne() {
    int stripe = stripe();
    long there = left.get(stripe);
    while (there > 0) {
      long seen = left.compareAndExchange(stripe, there, there - 1);
      if (seen == there) {
        return true;
      }
      there = seen;
    }
    return false;
  }

  /**
   * For how many keys a thread takes room, of which the first is its own: the fewer the less there
   * is, so that what all threads have ahead is a small part of what is left.
   */
  long most(long free) {
    return Math.clamp(free / (4L * STRIPES), 1, MOST);
  }

  /** Gives the calling thread room that was taken. */
  void give(long keys) {
    if (keys > 0) {
      long _ = left.getAndAdd(stripe(), keys);
    }
  }

  /** How much there is, counter by counter. */
  long left() {
    long sum = 0;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      sum += left.get(stripe * LINE);
    }
    return sum;
  }

  /** All there is, which is nobody's any more. */
  long fetch() {
    long fetched = 0;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      int at = stripe * LINE;
      fetched += left.get(at) == 0 ? 0 : left.getAndSet(at, 0);
    }
    return fetched;
  }
}
