package dev.gyre.structures.sync;

import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemLatch;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;

/**
 * Latch that opens once, as {@code std::latch}: threads wait until it is counted down to 0.
 *
 * <p>Kernels take {@code memory()} as a handle and call {@code BlockLatch}, {@code DeviceLatch} or
 * {@code SystemLatch}.
 *
 * <p>Thread-safe. Close it when no thread waits.
 *
 * @since 0.1.0
 */
public final class Latch extends SyncWords {

  private static final String COUNTS =
      "retries only after another count-down; takes a lock to wake waiters";
  private static final String WAITS = "waits for the threads that count down";

  private Latch() {
    super("latch");
  }

  /**
   * Returns a latch that opens after {@code count} count-downs.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public static Latch of(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
    Latch latch = new Latch();
    SystemLatch.init(latch.words, 0, count);
    return latch;
  }

  /** Counts down by one. An open latch is unchanged, as with {@code CountDownLatch}. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = COUNTS)
  public void countDown() {
    run(() -> SystemLatch.countDown(words, 0));
  }

  /**
   * Counts down by {@code n}.
   *
   * @throws IllegalArgumentException if {@code n} is less than 1 or more than the remaining count
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = COUNTS)
  public void countDown(int n) {
    run(() -> count(n));
  }

  private void count(int n) {
    int seen = words.loadRelaxed(SyncLayout.COUNT);
    int left;
    do {
      left = seen;
      if (n < 1 || n > left) {
        throw new IllegalArgumentException(
            "%d is not from 1 to the count of %d".formatted(n, left));
      }
      // acq_rel: as the fetch-and-subtract of SystemLatch. A late count-down must not count below
      // 0.
      seen = words.compareAndExchangeAcqRel(SyncLayout.COUNT, left, left - n);
    } while (seen != left);
    if (left == n) {
      words.wakeAll(SyncLayout.COUNT);
    }
  }

  /** Returns the number of missing count-downs; 0 if the latch is open. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes one load")
  public int count() {
    // acquire: a thread that reads 0 sees what was done before the count-downs, as in isOpen
    return open(() -> words.loadAcquire(SyncLayout.COUNT));
  }

  /** Returns whether the latch is open. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes one load")
  public boolean isOpen() {
    return open(() -> SystemLatch.tryWait(words, 0)) == 1;
  }

  /**
   * Waits until the latch is open.
   *
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void await() {
    await(() -> SystemLatch.await(words, 0, FOR_EVER));
  }

  /**
   * Waits until the latch is open, up to a time limit.
   *
   * @return whether it is open
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TIMED)
  public boolean await(Duration timeout) {
    return await(timeout, SyncLayout.COUNT, this::isOpen);
  }

  /**
   * Counts down by one, unless the latch is open, and waits.
   *
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted; it has counted down
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void arriveAndWait() {
    countDown();
    await();
  }

  /**
   * Counts down by {@code n} and waits.
   *
   * @throws IllegalArgumentException if {@code n} is less than 1 or more than the remaining count
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted; it has counted down
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void arriveAndWait(int n) {
    countDown(n);
    await();
  }
}
