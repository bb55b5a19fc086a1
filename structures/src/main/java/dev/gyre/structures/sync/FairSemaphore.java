package dev.gyre.structures.sync;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemSemaphore;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;

/**
 * Counting semaphore with fair entry, as {@code std::counting_semaphore}: threads acquire permits
 * in the order of their calls, and none starves. With one permit it is a binary semaphore.
 *
 * <p>Kernels take {@code memory()} as a handle and call {@code BlockSemaphore}, {@code
 * DeviceSemaphore} or {@code SystemSemaphore}.
 *
 * <p>Thread-safe. Close it when no thread waits.
 *
 * @since 0.1.0
 */
public final class FairSemaphore extends SyncWords {

  private FairSemaphore() {
    super("semaphore");
  }

  /**
   * Returns a semaphore with {@code permits} permits.
   *
   * @throws IllegalArgumentException if {@code permits} is negative
   */
  public static FairSemaphore of(int permits) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must not be negative: " + permits);
    }
    FairSemaphore semaphore = new FairSemaphore();
    SystemSemaphore.init(semaphore.words, 0, permits);
    return semaphore;
  }

  /** Returns a semaphore with one permit. */
  public static FairSemaphore binary() {
    return of(1);
  }

  /**
   * Acquires a permit, and waits for it after earlier callers.
   *
   * @throws GyreException if the thread is interrupted. Its permit is then lost, and the semaphore
   *     can only be closed. Use {@link #acquireUninterruptibly} or {@link #tryAcquire(Duration)} if
   *     interrupts may happen.
   */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for permits, in the order of tickets")
  public void acquire() {
    try {
      TimedWait.require("a semaphore", () -> SystemSemaphore.acquire(words, 0, TimedWait.FOR_EVER));
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Acquires a permit, and waits for it after earlier callers, even if the thread is interrupted.
   * The interrupt status is set again at the end. Use it in threads of an executor that may shut
   * down while the semaphore is still in use.
   */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for permits, in the order of tickets")
  public void acquireUninterruptibly() {
    boolean interrupted = false;
    try {
      // relaxed, as in SystemSemaphore: a ticket orders nothing; the wait does.
      int ticket = words.fetchAddRelaxed(SyncLayout.NEXT, 1);
      long polls = 0;
      // acquire: pairs with the release in release().
      while (ticket - words.loadAcquire(SyncLayout.SERVING) >= 0) {
        polls = words.pause(SyncLayout.SERVING, polls);
        if (polls == TimedWait.FOR_EVER) {
          interrupted |= Thread.interrupted();
          polls = 0;
        }
      }
    } catch (IllegalStateException e) {
      throw explained(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Acquires a permit if one is free and no other thread takes it at the same moment; returns
   * whether it did.
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes two loads and one compare-and-set")
  public boolean tryAcquire() {
    try {
      return SystemSemaphore.tryAcquire(words, 0) == 1;
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Acquires a permit within a time limit. The thread does not queue: it gets a permit only at a
   * moment at which no other thread waits.
   *
   * @return whether it acquired a permit
   * @throws GyreException if the thread is interrupted; it has no permit
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TIMED)
  public boolean tryAcquire(Duration scope) {
    try {
      return TimedWait.within(scope, "a semaphore", words, SyncLayout.SERVING, this::tryAcquire);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /** Returns the number of free permits at this moment; 0 if threads are waiting. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes two loads")
  public int availablePermits() {
    try {
      // acquire: read first, so that permits which are released and acquired meanwhile do not count
      // as free
      int serving = words.loadAcquire(SyncLayout.SERVING);
      return Math.max(0, serving - words.loadRelaxed(SyncLayout.NEXT));
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Returns a permit.
   *
   * @throws IllegalArgumentException if 2^31 - 1 permits are free
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "retries only after another release; takes a lock to wake waiters")
  public void release() {
    release(1);
  }

  /**
   * Returns {@code n} permits.
   *
   * @throws IllegalArgumentException if {@code n} is less than 1, or more than 2^31 - 1 permits
   *     would be free
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "retries only after another release; takes a lock to wake waiters")
  public void release(int n) {
    try {
      if (n < 1) {
        throw new IllegalArgumentException("permits to release must be positive, not " + n);
      }
      int seen = words.loadRelaxed(SyncLayout.SERVING);
      int serving;
      do {
        serving = seen;
        // relaxed: tickets that are taken meanwhile only add permits.
        int free = serving - words.loadRelaxed(SyncLayout.NEXT);
        if (free > Integer.MAX_VALUE - n) {
          throw new IllegalArgumentException(
              "%d permits are free; with %d more there would be too many".formatted(free, n));
        }
        // acq_rel: as the fetch-and-add of SystemSemaphore.
        seen = words.compareAndExchangeAcqRel(SyncLayout.SERVING, serving, serving + n);
      } while (seen != serving);
      words.wakeAll(SyncLayout.SERVING);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }
}
