package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;

/**
 * Fair counting semaphore at device scope, as {@code std::counting_semaphore}: threads enter in the
 * order of their tickets. With one permit it is a binary semaphore. Device functions.
 *
 * <p><b>Progress.</b> Starvation-free: a thread takes a ticket by one fetch-and-add and enters when
 * enough permits were released. No later thread overtakes it, and no wake-up can be missed. A
 * semaphore that counts permits and gives them to the first comer can starve a waiter; the one in
 * CCCL's issue 450 hung.
 *
 * <table>
 *   <caption>Accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>weaker fails</th></tr>
 *   <tr><td>release</td><td>acq_rel</td><td>the acquire's wait, and earlier releases</td>
 *       <td>an entering thread misses what the previous one wrote</td></tr>
 *   <tr><td>acquire's wait</td><td>acquire</td><td>release</td><td>as above</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class DeviceSemaphore {

  private DeviceSemaphore() {}

  /**
   * Initialises a semaphore, before any thread uses it.
   *
   * @param words {@link SyncLayout#WORDS} ints from {@code at}
   * @param permits number of threads that may enter, at least 0
   */
  public static void init(DeviceInts words, long at, int permits) {
    words.storeRelaxed(at + SyncLayout.NEXT, 0);
    // release: pairs with the acquire of entering threads.
    words.storeRelease(at + SyncLayout.SERVING, permits);
  }

  /**
   * Waits for a permit and acquires it. If the wait gives up, its permit is lost, and the launch is
   * in error.
   *
   * @param words a semaphore from {@code at} on, see {@link #init}
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK} after {@code pollLimit} polls
   */
  public static int acquire(DeviceInts words, long at, long pollLimit) {
    // relaxed: a ticket orders nothing; the wait does.
    int ticket = words.fetchAddRelaxed(at + SyncLayout.NEXT, 1);
    // acquire: pairs with the release in release().
    int ahead = ticket - words.loadAcquire(at + SyncLayout.SERVING);
    long polls = ahead < 0 ? pollLimit : 0;
    while (polls < pollLimit) {
      polls = words.pause(at + SyncLayout.SERVING, polls);
      ahead = ticket - words.loadAcquire(at + SyncLayout.SERVING);
      polls = ahead < 0 ? pollLimit : polls;
    }
    return ahead < 0 ? SyncLayout.DONE : SyncLayout.STUCK;
  }

  /**
   * Acquires a permit if one is free; returns {@link SyncLayout#DONE}, otherwise 0. Does not wait.
   */
  public static int tryAcquire(DeviceInts words, long at) {
    int next = words.loadRelaxed(at + SyncLayout.NEXT);
    int ahead = next - words.loadAcquire(at + SyncLayout.SERVING);
    int taken = 0;
    if (ahead < 0) {
      if (words.compareAndSetRelaxed(at + SyncLayout.NEXT, next, next + 1)) {
        taken = 1;
      }
    }
    return taken;
  }

  /** Releases {@code n} permits, whichever thread acquired them. */
  public static void release(DeviceInts words, long at, int n) {
    // acq_rel: pairs with the acquire in acquire(); hands on what earlier releases published.
    int _ = words.fetchAddAcqRel(at + SyncLayout.SERVING, n);
    words.wakeAll(at + SyncLayout.SERVING);
  }
}
