package dev.gyre.kernels.probe;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * A flag that one thread raises and others wait for. See {@link ProgressFunctions#handOver}.
 *
 * @param words {@link ProgressFunctions#WORDS} ints, all 0
 * @param waiters number of waiting threads
 * @param reverse 0 if the first threads wait for the last, 1 if the last threads wait for the first
 * @param pollLimit polls after which a wait gives up
 */
public record HandOver(DeviceInts words, int waiters, int reverse, long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    ProgressFunctions.handOver(thread, shape.threads(), words, waiters, reverse, pollLimit);
  }
}
