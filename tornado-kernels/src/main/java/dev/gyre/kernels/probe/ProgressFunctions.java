package dev.gyre.kernels.probe;

import dev.gyre.atomics.DeviceInts;

/**
 * Programs that end only if threads make progress while others wait. Every wait has a limit of
 * polls. A wait that reaches it counts itself as stuck and continues, so that the launch ends.
 */
public final class ProgressFunctions {

  /** Index of the lock or flag. */
  public static final int FLAG = 0;

  /** Index of the number of waits that gave up. */
  public static final int STUCK = 16;

  /** Index of the plain counter under the lock. */
  public static final int COUNTER = 32;

  /** Number of ints that these programs need. */
  public static final int WORDS = 48;

  private ProgressFunctions() {}

  /**
   * Every thread except one waits for a flag that the last or the first one raises, as ex0 of the
   * CUDA C++ execution model.
   *
   * @param waiters number of waiting threads: the first ones, or with {@code reverse} the last ones
   */
  public static void handOver(
      int thread, int threads, DeviceInts words, int waiters, int reverse, long pollLimit) {
    int place = reverse == 0 ? thread : threads - 1 - thread;
    if (place < waiters) {
      int seen = words.waitWhileEqualRelaxed(FLAG, 0, pollLimit);
      if (seen == 0) {
        int _ = words.fetchAddRelaxed(STUCK, 1);
      }
    }
    if (place == threads - 1) {
      words.storeRelaxed(FLAG, 1);
      words.wakeAll(FLAG);
    }
  }

  /**
   * Every n-th thread takes a spin lock {@code rounds} times and counts under it. This needs
   * parallel forward progress: the holder must go on while others spin.
   *
   * @param every distance of the threads that take the lock
   */
  public static void spinLock(int thread, DeviceInts words, int every, int rounds, long pollLimit) {
    int turns = thread % every == 0 ? rounds : 0;
    for (int turn = 0; turn < turns; turn++) {
      // acquire: pairs with the release of the clear; shows what the last holder counted.
      boolean busy = words.testAndSetAcquire(FLAG);
      long polls = busy ? 0 : pollLimit;
      while (polls < pollLimit) {
        polls = words.pause(FLAG, polls);
        busy = words.testAndSetAcquire(FLAG);
        polls = busy ? polls : pollLimit;
      }
      if (busy) {
        int _ = words.fetchAddRelaxed(STUCK, 1);
      } else {
        words.set(COUNTER, words.get(COUNTER) + 1);
        // release: pairs with the acquire above, of the next holder.
        words.clearRelease(FLAG);
        words.wakeAll(FLAG);
      }
    }
  }

  /**
   * All threads wait until all have started. This needs concurrent forward progress, or that all
   * fit on the device.
   */
  public static void meetAll(
      int thread, DeviceInts words, int every, int expected, long pollLimit) {
    if (thread % every == 0) {
      int here = words.fetchAddRelaxed(FLAG, 1) + 1;
      long polls = here >= expected ? pollLimit : 0;
      while (polls < pollLimit) {
        polls = words.pause(FLAG, polls);
        here = words.loadRelaxed(FLAG);
        polls = here >= expected ? pollLimit : polls;
      }
      if (here < expected) {
        int _ = words.fetchAddRelaxed(STUCK, 1);
      }
    }
  }
}
