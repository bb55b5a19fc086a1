package dev.gyre.structures.map.work;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a short update enters the lock exclusively.
 *
 * <p>If threads with short updates meet, each would wait longer for the others than its own update
 * takes. So for a while after a meeting all of them enter as shared updates. The while doubles each
 * time that they meet again soon.
 */
public final class ShortUpdates {

  /**
   * Smallest number of short updates after which it is checked whether other threads are still
   * present.
   */
  private static final int MIN_SHARED = 1 << 6;

  /** Largest number of such updates. */
  private static final int MAX_SHARED = 1 << 12;

  private final OperationLock lock;

  /** Number of short updates that still enter as shared, because of a recent meeting. */
  private int left;

  /** Number after the next meeting. */
  private int next = MIN_SHARED;

  /** Number of exclusive short updates since the last meeting; these change it. */
  private volatile int alone = MIN_SHARED;

  public ShortUpdates(OperationLock lock) {
    this.lock = lock;
  }

  /** Calls {@link OperationLock#tryEnterExclusiveUpdate} for a short update. */
  public @Nullable Entry tryEnterExclusiveUpdate() {
    if (isShared()) {
      return null;
    }
    Entry entry = lock.tryEnterExclusiveUpdate();
    if (entry == null) {
      met();
    } else {
      // No call here: it could fail, and the caller would not know that it is inside.
      int before = alone;
      alone = before < MIN_SHARED ? before + 1 : before;
    }
    return entry;
  }

  private synchronized boolean isShared() {
    boolean shared = left > 0;
    left -= shared ? 1 : 0;
    return shared;
  }

  private synchronized void met() {
    next = alone < MIN_SHARED ? Math.min(2 * next, MAX_SHARED) : MIN_SHARED;
    left = next;
    alone = 0;
  }
}
