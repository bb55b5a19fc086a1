package dev.gyre.kernels.probe;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * A spin lock that many threads take. See {@link ProgressFunctions#spinLock}.
 *
 * @param words {@link ProgressFunctions#WORDS} ints, all 0
 * @param every distance of the participating threads
 * @param rounds number of times each takes the lock
 * @param pollLimit polls after which a wait gives up
 */
public record SpinLock(DeviceInts words, int every, int rounds, long pollLimit) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    ProgressFunctions.spinLock(thread, words, every, rounds, pollLimit);
  }
}
