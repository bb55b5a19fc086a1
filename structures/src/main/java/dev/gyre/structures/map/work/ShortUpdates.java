package dev.gyre.structures.map.work;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an update that is short enters a lock as an exclusive one. Where threads whose
 * updates are short meet, each would wait longer for the others' ends than its own update takes; so
 * for a while after they met all of them enter as shared ones. That while is twice as long each
 * time that they meet again soon.
 */
public final class ShortUpdates {

  /** After how many short updates it is looked again whether others are still there, at least. */
  private static final int MIN_SHARED = 1 << 6;

  /** The same, at most. */
  private static final int MAX_SHARED = 1 << 12;

  private final OperationLock lock;

  /** How many short updates are still to be shared ones, since lately others were there. */
  private int left;

  /** How many will be the next time. */
  private int next = MIN_SHARED;

  /** How many short updates were exclusive ones since others were there; changed by those. */
  private volatile int alone = MIN_SHARED;

  public ShortUpdates(OperationLock lock) {
    this.lock = lock;
  }

  /** {@link OperationLock#tryEnterExclusiveUpdate} of a short update. */
  public @Nullable Entry tryEnterExclusiveUpdate() {
    if (isShared()) {
      return null;
    }
    Entry entry = lock.tryEnterExclusiveUpdate();
    if (entry == null) {
      met();
    } else {
      // No call: it could fail, and the caller not know that it is inside.
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
