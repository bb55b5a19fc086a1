package dev.gyre.atomics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How a JVM thread waits for a word to change: spin, then yield, then park for a bounded time.
 *
 * <p>Parked threads wait in one of a fixed number of rooms, found by the word's address, so that
 * {@code wakeAll} knows where to knock. A wake-up can be missed, when it comes between a waiter's
 * look at the word and its entry into the room; a stay is bounded, so that costs time and nothing
 * else. Different words may share a room, so a waiter may be woken for nothing.
 */
final class Waiting {

  private static final int SPINS = 64;
  private static final int YIELDS = 32;
  private static final long FIRST_STAY_NANOS = 2_000;
  private static final int STAY_DOUBLINGS = 9;
  private static final Room[] ROOMS = new Room[256];

  static {
    for (int i = 0; i < ROOMS.length; i++) {
      ROOMS[i] = new Room();
    }
  }

  private static final class Room {
    final AtomicInteger waiters = new AtomicInteger();
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
  }

  private Waiting() {}

  /**
   * Waits a little; the longer the more polls there were.
   *
   * @param address of the word that is waited for
   * @param polls how often the word was looked at before, in this wait
   * @return {@code polls + 1}, or {@link Long#MAX_VALUE} where the thread is interrupted and not
   *     {@linkplain Patience patient}, which ends the wait; the interrupt status is kept
   */
  // Yielding is a hint between spinning and parking; nothing relies on it.
  @SuppressWarnings("ThreadPriorityCheck")
  static long pause(long address, long polls) {
    if (polls < SPINS) {
      Thread.onSpinWait();
      return polls + 1;
    }
    if (Patience.endsWait()) {
      return Long.MAX_VALUE;
    }
    if (polls < SPINS + YIELDS) {
      Thread.yield();
    } else {
      stay(room(address), FIRST_STAY_NANOS << Math.min(polls - SPINS - YIELDS, STAY_DOUBLINGS));
    }
    return polls + 1;
  }

  // The loop is the caller's: a wake-up for nothing costs one more look at the word.
  @SuppressWarnings("WaitNotInLoop")
  private static void stay(Room room, long nanos) {
    room.waiters.incrementAndGet();
    room.lock.lock();
    try {
      // How much time was left is of no use: the caller looks at the word in any case.
      long _ = room.changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      room.lock.unlock();
      room.waiters.decrementAndGet();
    }
  }

  static void wakeAll(long address) {
    Room room = room(address);
    if (room.waiters.get() != 0) {
      room.lock.lock();
      try {
        room.changed.signalAll();
      } finally {
        room.lock.unlock();
      }
    }
  }

  private static Room room(long address) {
    return ROOMS[(int) ((address * 0x9E3779B97F4A7C15L) >>> 56)];
  }
}
