package dev.gyre.kernels.probe;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * A meeting of all threads. See {@link ProgressFunctions#meetAll}.
 *
 * @param words {@link ProgressFunctions#WORDS} ints, all 0
 * @param every distance of the participating threads
 * @param expected number of participating threads
 * @param pollLimit polls after which a wait gives up
 */
public record MeetAll(DeviceInts words, int every, int expected, long pollLimit) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    ProgressFunctions.meetAll(thread, words, every, expected, pollLimit);
  }
}
