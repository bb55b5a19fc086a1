package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Meeting;

/**
 * A barrier at device scope, as {@code cuda::barrier}: a phase ends when all expected threads have
 * arrived, and the next one begins. Device functions.
 *
 * <p>A thread may arrive early, work on, and wait later with the token of its arrival. In place of
 * a completion function, the last arriver of a phase learns that it is: it does what has to be done
 * and then calls {@link #complete}. Arriving is wait-free; waiting needs all threads to run at the
 * same time.
 *
 * <table>
 * <caption>Accesses</caption>
 * <tr><th>access</th><th>order</th><th>pairs with</th><th>weaker fails</th></tr>
 * <tr><td>arrival</td><td>acq_rel</td><td>the other arrivals</td>
 * <td>the last arriver misses what others wrote in the phase</td></tr>
 * <tr><td>next phase</td><td>release</td><td>the wait's acquire</td>
 * <td>a waiter misses what was written in the phase</td></tr>
 * </table>
 */
public final class DeviceBarrier {

  private DeviceBarrier() {}

  /**
   * Makes a barrier of words, before any thread arrives.
   *
   * @param words {@link SyncLayout#WORDS} ints from {@code at}
   * @param expected arrivals of a phase, at least 1
   */
  public static void init(DeviceInts words, long at, int expected) {
    words.storeRelaxed(at + SyncLayout.EXPECTED, expected);
    words.storeRelaxed(at + SyncLayout.PHASE, 0);
    // release: pairs with the arrivals, of threads that see that the barrier is there.
    words.storeRelease(at + SyncLayout.MISSING, expected);
  }

  /**
   * Arrives, and learns whether it was the last of the phase. A thread that arrives again must know
   * that the phase has ended: it waited, completed it, or was told.
   *
   * @param words a barrier from {@code at} on, see {@link #init}
   * @return the token to wait with: twice the phase's number, and 1 more for the last arriver, who
   *     must {@link #complete} the phase
   */
  public static int arrive(DeviceInts words, long at) {
    return arrive(words, at, 1);
  }

  /**
   * Arrives for several at once, as if each of {@code arrivals} threads called {@link #arrive}.
   *
   * @param arrivals at least 1, and no more than are missing in the phase
   */
  public static int arrive(DeviceInts words, long at, int arrivals) {
    // relaxed: no phase ends before this thread has arrived, so this is the current one.
    // After the arrival it would be too late: the phase may have ended.
    int token = words.loadRelaxed(at + SyncLayout.PHASE) << 1;
    // acq_rel: publishes this thread's writes to the last arriver, who publishes all.
    if (words.fetchSubAcqRel(at + SyncLayout.MISSING, arrivals) == arrivals) {
      token += 1;
    }
    return token;
  }

  /** Arrives, and is not expected in the phases that follow. As {@link #arrive}. */
  public static int arriveAndDrop(DeviceInts words, long at) {
    // relaxed: the arrival below publishes it to the last arriver. After it, that may be too late.
    int _ = words.fetchSubRelaxed(at + SyncLayout.EXPECTED, 1);
    return arrive(words, at);
  }

  /** Whether a token is that of the last arriver: 1 or 0. */
  public static int isLast(int token) {
    return token & 1;
  }

  /** Ends the phase and begins the next: for the last arriver, once it did what is to be done. */
  public static void complete(DeviceInts words, long at) {
    // relaxed: nobody arrives before the release below. Were it after that, arrivals would be lost.
    words.storeRelaxed(at + SyncLayout.MISSING, words.loadRelaxed(at + SyncLayout.EXPECTED));
    int phase = words.loadRelaxed(at + SyncLayout.PHASE);
    // release: pairs with the acquire in await(); publishes the phase's writes, and MISSING.
    words.storeRelease(at + SyncLayout.PHASE, phase + 1);
    words.wakeAll(at + SyncLayout.PHASE);
  }

  /** Whether the phase of a token has ended: 1 or 0. Waits for nobody. */
  public static int tryWait(DeviceInts words, long at, int token) {
    // acquire: pairs with the release in complete().
    int now = words.loadAcquire(at + SyncLayout.PHASE) << 1;
    int ended = 1;
    if (now == (token & -2)) {
      ended = 0;
    }
    return ended;
  }

  /**
   * Waits until the phase of a token has ended; that of the next may run, but cannot have ended.
   *
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK} after so many polls
   */
  public static int await(DeviceInts words, long at, int token, long pollLimit) {
    Meeting.ofDevice();
    // Shifted left, the highest bit of a phase is lost on both sides.
    int phase = token & -2;
    // acquire: pairs with the release in complete().
    int now = words.loadAcquire(at + SyncLayout.PHASE) << 1;
    long polls = now == phase ? 0 : pollLimit;
    while (polls < pollLimit) {
      polls = words.pause(at + SyncLayout.PHASE, polls);
      now = words.loadAcquire(at + SyncLayout.PHASE) << 1;
      polls = now == phase ? polls : pollLimit;
    }
    return now == phase ? SyncLayout.STUCK : SyncLayout.DONE;
  }

  /** Arrives, completes the phase if it is the last, and waits. */
  public static int arriveAndWait(DeviceInts words, long at, long pollLimit) {
    int token = arrive(words, at);
    if (isLast(token) == 1) {
      complete(words, at);
    }
    return await(words, at, token, pollLimit);
  }
}
