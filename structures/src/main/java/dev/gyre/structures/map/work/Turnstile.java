package dev.gyre.structures.map.work;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Lets updates of single keys in and out at little cost, unless it is barred: each thread counts in
 * a stripe of its own, so that threads do not share a cache line.
 *
 * <p>Either one that enters sees that the turnstile is barred, or one that bars it sees that
 * somebody is inside: each writes and then reads, and all these accesses are volatile.
 */
public class Turnstile {

  /** Returned in place of a stripe: it is barred. */
  static final int BARRED = -1;

  private static final int LINE = 16;
  private static final int STRIPES =
      Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

  private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * LINE);
  private volatile boolean barred;

  /** Enters; returns the stripe with which to leave, or BARRED. */
  int enter() {
    long hash = Thread.currentThread().threadId() * 0x9e3779b97f4a7c15L;
    int stripe = LINE * (1 + (int) (hash >>> 32 & (STRIPES - 1)));
    long _ = inside.getAndIncrement(stripe);
    if (barred) {
      long _ = inside.getAndDecrement(stripe);
      return BARRED;
    }
    return stripe;
  }

  /** Leaves; returns whether somebody may be waiting for that. */
  boolean leave(int stripe) {
    long _ = inside.getAndDecrement(stripe);
    return barred;
  }

  /** Says whether those who come are turned away. */
  void bar(boolean shut) {
    if (barred != shut) {
      barred = shut;
    }
  }

  /** Whether nobody is inside, and nobody will be: to be asked when barred. */
  boolean isEmpty() {
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      if (inside.get(stripe * LINE) != 0) {
        return false;
      }
    }
    return true;
  }
}
