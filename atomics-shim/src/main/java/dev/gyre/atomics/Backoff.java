package dev.gyre.atomics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Backs off while a JVM thread waits for a word to change: spins, then yields, then parks.
 *
 * <p>A thread parks in one of a fixed number of queues, which it finds by the address of the word.
 * {@code wakeAll} wakes the threads of one queue. Different words may share a queue, so that a
 * thread may wake up although its word has not changed.
 *
 * <p>A thread misses a wake-up that comes after it reads the word and before it enters the queue.
 * Each time in the queue is bounded, so that a missed wake-up only costs time.
 */
final class Backoff {

  private static final int SPINS = 64;
  private static final int YIELDS = 32;
  private static final long FIRST_PARK_NANOS = 2_000;
  private static final int PARK_DOUBLINGS = 9;
  private static final WaitQueue[] QUEUES = new WaitQueue[256];

  static {
    for (int i = 0; i < QUEUES.length; i++) {
      QUEUES[i] = new WaitQueue();
    }
  }

  private static final class WaitQueue {
    final AtomicInteger waiters = new AtomicInteger();
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
  }

  private Backoff() {}

  /**
   * Backs off once; the more polls came before, the longer.
   *
   * @param address address of the word that the thread waits for
   * @param polls number of earlier polls of this wait
   * @return {@code polls + 1}; or {@link Long#MAX_VALUE}, which ends the wait, if the thread is
   *     interrupted and not {@linkplain UninterruptibleScope patient}. The interrupt status is kept
   */
  // Yielding is a hint between spinning and parking; nothing relies on it.
  @SuppressWarnings("ThreadPriorityCheck")
  static long pause(long address, long polls) {
    if (polls < SPINS) {
      Thread.onSpinWait();
      return polls + 1;
    }
    if (UninterruptibleScope.endsWait()) {
      return Long.MAX_VALUE;
    }
    if (polls < SPINS + YIELDS) {
      Thread.yield();
    } else {
      park(queue(address), FIRST_PARK_NANOS << Math.min(polls - SPINS - YIELDS, PARK_DOUBLINGS));
    }
    return polls + 1;
  }

  // The caller loops: after a spurious wake-up it reads the word once more.
  @SuppressWarnings("WaitNotInLoop")
  private static void park(WaitQueue queue, long nanos) {
    queue.waiters.incrementAndGet();
    queue.lock.lock();
    try {
      // The remaining time is not used: the caller reads the word in any case.
      long _ = queue.changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.lock.unlock();
      queue.waiters.decrementAndGet();
    }
  }

  /** Wakes the threads that wait for a word, and maybe others that share its queue. */
  static void wakeAll(long address) {
    WaitQueue queue = queue(address);
    if (queue.waiters.get() != 0) {
      queue.lock.lock();
      try {
        queue.changed.signalAll();
      } finally {
        queue.lock.unlock();
      }
    }
  }

  private static WaitQueue queue(long address) {
    return QUEUES[(int) ((address * 0x9E3779B97F4A7C15L) >>> 56)];
  }
}
