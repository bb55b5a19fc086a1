package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Meeting;

/**
 * Latch at device scope, as {@code std::latch}: it opens when it is counted down to 0, and stays
 * open. Device functions.
 *
 * <p><b>Progress.</b> Counting down by several is wait-free, and by one lock-free. Waiting needs
 * the threads that count down to run at the same time.
 *
 * <table>
 *   <caption>Accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>weaker fails</th></tr>
 *   <tr><td>count down</td><td>acq_rel</td><td>other count-downs and the wait's acquire</td>
 *       <td>a waiter misses what was written before the count-down</td></tr>
 *   <tr><td>wait</td><td>acquire</td><td>count down</td><td>as above</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class DeviceLatch {

  private DeviceLatch() {}

  /**
   * Initialises a latch, before any thread counts down.
   *
   * @param words {@link SyncLayout#WORDS} ints from {@code at}
   * @param count count-downs until it opens, at least 0
   */
  public static void init(DeviceInts words, long at, int count) {
    // release: pairs with the count-downs of threads that see the latch.
    words.storeRelease(at + SyncLayout.COUNT, count);
  }

  /**
   * Counts down by one. An open latch is unchanged. Lock-free.
   *
   * @param words a latch from {@code at} on, see {@link #init}
   */
  public static void countDown(DeviceInts words, long at) {
    // acquire: as in tryWait, a thread that finds the latch open sees what was done before
    int left = words.loadAcquire(at + SyncLayout.COUNT);
    int seen = left + 1;
    while (left > 0 && seen != left) {
      seen = left;
      // acq_rel: as below. A late count-down must not count below 0
      left = words.compareAndExchangeAcqRel(at + SyncLayout.COUNT, seen, seen - 1);
    }
    if (left == 1 && seen == left) {
      words.wakeAll(at + SyncLayout.COUNT);
    }
  }

  /**
   * Counts down by several.
   *
   * @param words a latch from {@code at} on, see {@link #init}
   * @param n at least 1, and at most the remaining count
   */
  public static void countDown(DeviceInts words, long at, int n) {
    // acq_rel: the last count-down publishes what all earlier threads wrote.
    int before = words.fetchSubAcqRel(at + SyncLayout.COUNT, n);
    if (before == n) {
      words.wakeAll(at + SyncLayout.COUNT);
    }
  }

  /** Returns whether the latch is open: 1 or 0. */
  public static int tryWait(DeviceInts words, long at) {
    int open = 0;
    if (words.loadAcquire(at + SyncLayout.COUNT) == 0) {
      open = 1;
    }
    return open;
  }

  /**
   * Waits until the latch is open.
   *
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK} after {@code pollLimit} polls
   */
  public static int await(DeviceInts words, long at, long pollLimit) {
    Meeting.ofDevice();
    // acquire: pairs with the release in countDown().
    int left = words.loadAcquire(at + SyncLayout.COUNT);
    long polls = left == 0 ? pollLimit : 0;
    while (polls < pollLimit) {
      polls = words.pause(at + SyncLayout.COUNT, polls);
      left = words.loadAcquire(at + SyncLayout.COUNT);
      polls = left == 0 ? pollLimit : polls;
    }
    return left == 0 ? SyncLayout.DONE : SyncLayout.STUCK;
  }

  /** Counts down by {@code n} and waits. */
  public static int arriveAndWait(DeviceInts words, long at, int n, long pollLimit) {
    countDown(words, at, n);
    return await(words, at, pollLimit);
  }
}
