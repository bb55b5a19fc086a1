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

  private static final String WAITS = "waits for permits, in the order of tickets";
  private static final String RELEASES =
      "retries only after another release; takes a lock to wake waiters";

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
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void acquire() {
    await(() -> SystemSemaphore.acquire(words, 0, FOR_EVER));
  }

  /**
   * Acquires a permit, and waits for it after earlier callers, even if the thread is interrupted.
   * The interrupt status is set again at the end. Use it in threads of an executor that may shut
   * down while the semaphore is still in use.
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void acquireUninterruptibly() {
    // relaxed, as in SystemSemaphore: a ticket orders nothing; the wait does.
    int ticket = open(() -> words.fetchAddRelaxed(SyncLayout.NEXT, 1));
    long polls = 0;
    boolean interrupted = false;
    try {
      // acquire: pairs with the release in release().
      while (ticket - open(() -> words.loadAcquire(SyncLayout.SERVING)) >= 0) {
        long before = polls;
        polls = open(() -> words.pause(SyncLayout.SERVING, before));
        if (polls == FOR_EVER) {
          interrupted |= Thread.interrupted();
          polls = 0;
        }
      }
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
    return open(() -> SystemSemaphore.tryAcquire(words, 0)) == 1;
  }

  /**
   * Acquires a permit within a time limit. The thread does not queue: it gets a permit only at a
   * moment at which no other thread waits.
   *
   * @return whether it acquired a permit
   * @throws GyreException if the thread is interrupted; it has no permit
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TIMED)
  public boolean tryAcquire(Duration timeout) {
    return await(timeout, SyncLayout.SERVING, this::tryAcquire);
  }

  /** Returns the number of free permits at this moment; 0 if threads are waiting. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes two loads")
  public int availablePermits() {
    // acquire: read first, so that permits which are released and acquired meanwhile do not count
    // as free
    int serving = open(() -> words.loadAcquire(SyncLayout.SERVING));
    return Math.max(0, serving - open(() -> words.loadRelaxed(SyncLayout.NEXT)));
  }

  /**
   * Returns a permit.
   *
   * @throws IllegalArgumentException if 2^31 - 1 permits are free
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RELEASES)
  public void release() {
    release(1);
  }

  /**
   * Returns {@code n} permits.
   *
   * @throws IllegalArgumentException if {@code n} is less than 1, or more than 2^31 - 1 permits
   *     would be free
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RELEASES)
  public void release(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("permits to release must be positive, not " + n);
    }
    run(() -> free(n));
  }

  private void free(int n) {
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
  }
}
