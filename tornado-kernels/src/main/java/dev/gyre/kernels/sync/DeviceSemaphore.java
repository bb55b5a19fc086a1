package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;

/**
 * A counting semaphore at device scope, as {@code std::counting_semaphore}, but fair: threads enter
 * in the order of their tickets. With one permit it is a binary semaphore. Device functions.
 *
 * <p>Starvation-free: an acquirer takes a ticket by one fetch-and-add and enters when so many
 * permits were released, so no later one overtakes it and no wake-up can be missed. A semaphore
 * that counts permits and lets whoever comes first have them can starve a waiter for ever; that of
 * CCCL's issue 450 hung.
 *
 * <table>
 * <caption>Accesses</caption>
 * <tr><th>access</th><th>order</th><th>pairs with</th><th>weaker fails</th></tr>
 * <tr><td>release</td><td>acq_rel</td><td>the acquire's wait, and the releases before it</td>
 * <td>who enters misses what the one before it wrote</td></tr>
 * <tr><td>acquire's wait</td><td>acquire</td><td>release</td><td>as above</td></tr>
 * </table>
 */
public final class DeviceSemaphore {

  private DeviceSemaphore() {}

  /**
   * Makes a semaphore of words, before any thread uses it.
   *
   * @param words {@link SyncLayout#WORDS} ints from {@code at}
   * @param permits how many threads may enter, at least 0
   */
  public static void init(DeviceInts words, long at, int permits) {
    words.storeRelaxed(at + SyncLayout.NEXT, 0);
    // release: pairs with the acquire of those who enter.
    words.storeRelease(at + SyncLayout.SERVING, permits);
  }

  /**
   * Acquires a permit, waiting for it. A thread that gives up has lost its ticket: the permit that
   * it waited for is gone with it, and the launch is an error.
   *
   * @param words a semaphore from {@code at} on, see {@link #init}
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK} after so many polls
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
   * Acquires a permit if one is free: {@link SyncLayout#DONE}; else 0, having waited for nobody.
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

  /** Gives back {@code n} permits, whoever took them. */
  public static void release(DeviceInts words, long at, int n) {
    // acq_rel: pairs with the acquire in acquire(); hands on what earlier releases published.
    int _ = words.fetchAddAcqRel(at + SyncLayout.SERVING, n);
    words.wakeAll(at + SyncLayout.SERVING);
  }
}
