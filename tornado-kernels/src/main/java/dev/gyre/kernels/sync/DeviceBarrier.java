package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Meeting;

/**
 * Barrier at device scope, as {@code cuda::barrier}: a phase ends when all expected threads have
 * arrived, and the next phase begins. Device functions.
 *
 * <p><b>Protocol.</b> A thread may arrive, do other work, and wait later with the token of its
 * arrival. There is no completion function: the last arriving thread of a phase does the work that
 * is needed once per phase, and calls {@link #complete}.
 *
 * <p><b>Progress.</b> Arriving is wait-free. Waiting needs all threads to run at the same time.
 *
 * <table>
 *   <caption>Accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>weaker fails</th></tr>
 *   <tr><td>arrival</td><td>acq_rel</td><td>the other arrivals</td>
 *       <td>the last arriver misses what others wrote in the phase</td></tr>
 *   <tr><td>next phase</td><td>release</td><td>the wait's acquire</td>
 *       <td>a waiter misses what was written in the phase</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class DeviceBarrier {

  private DeviceBarrier() {}

  /**
   * Initialises a barrier, before any thread arrives.
   *
   * @param words {@link SyncLayout#WORDS} ints from {@code at}
   * @param expected arrivals of a phase, at least 1
   */
  public static void init(DeviceInts words, long at, int expected) {
    words.storeRelaxed(at + SyncLayout.EXPECTED, expected);
    words.storeRelaxed(at + SyncLayout.PHASE, 0);
    // release: pairs with the arrivals of threads that see the barrier.
    words.storeRelease(at + SyncLayout.MISSING, expected);
  }

  /**
   * Arrives. A thread may arrive again only after it knows that the phase has ended, because it
   * waited for it or completed it.
   *
   * @param words a barrier from {@code at} on, see {@link #init}
   * @return the token to wait with: twice the number of the phase, plus 1 for the last arriver,
   *     which must {@link #complete} the phase
   */
  public static int arrive(DeviceInts words, long at) {
    return arrive(words, at, 1);
  }

  /**
   * Arrives as if {@code arrivals} threads called {@link #arrive}.
   *
   * @param arrivals at least 1, and at most the number that is missing in the phase
   */
  public static int arrive(DeviceInts words, long at, int arrivals) {
    // relaxed: no phase ends before this thread has arrived, so this is the current one. After the
    // arrival, the phase may have ended.
    int token = words.loadRelaxed(at + SyncLayout.PHASE) << 1;
    // acq_rel: publishes this thread's writes to the last arriver, which publishes all.
    if (words.fetchSubAcqRel(at + SyncLayout.MISSING, arrivals) == arrivals) {
      token += 1;
    }
    return token;
  }

  /** Arrives as {@link #arrive}, and is not expected in later phases. */
  public static int arriveAndDrop(DeviceInts words, long at) {
    // relaxed: the arrival below publishes it to the last arriver. After it, it may be too late.
    int _ = words.fetchSubRelaxed(at + SyncLayout.EXPECTED, 1);
    return arrive(words, at);
  }

  /** Returns whether a token is that of the last arriver: 1 or 0. */
  public static int isLast(int token) {
    return token & 1;
  }

  /** Ends the phase and begins the next. The last arriver calls it after its work for the phase. */
  public static void complete(DeviceInts words, long at) {
    // relaxed: no thread arrives before the release below. After it, arrivals would be lost.
    words.storeRelaxed(at + SyncLayout.MISSING, words.loadRelaxed(at + SyncLayout.EXPECTED));
    int phase = words.loadRelaxed(at + SyncLayout.PHASE);
    // release: pairs with the acquire in await(); publishes the phase's writes, and MISSING.
    words.storeRelease(at + SyncLayout.PHASE, phase + 1);
    words.wakeAll(at + SyncLayout.PHASE);
  }

  /** Returns whether the phase of a token has ended: 1 or 0. Does not wait. */
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
   * Waits until the phase of a token has ended. The next phase may be running, but cannot have
   * ended.
   *
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK} after {@code pollLimit} polls
   */
  public static int await(DeviceInts words, long at, int token, long pollLimit) {
    Meeting.ofDevice();
    // Shifting drops the highest bit of the phase on both sides.
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

  /** Arrives, completes the phase if this is the last arrival, and waits. */
  public static int arriveAndWait(DeviceInts words, long at, long pollLimit) {
    int token = arrive(words, at);
    if (isLast(token) == 1) {
      complete(words, at);
    }
    return await(words, at, token, pollLimit);
  }
}
