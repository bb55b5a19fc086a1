package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.map.MapCodes;

/** Outcomes of a bulk operation, added up. */
final class Sums {

  private final long[] sums = new long[MapCodes.COUNTERS];

  /** Adds what a launch counted. */
  synchronized void add(DeviceLongs counters) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += counters.get(i);
    }
  }

  /** Takes keys back that were counted as STUCK: a following launch counts them again. */
  synchronized void retract(long stuck) {
    sums[MapCodes.STUCK] -= stuck;
  }

  synchronized long of(int outcome) {
    return sums[outcome];
  }

  /** The share of keys so far that were new; 1 before the first. */
  synchronized double shareInserted() {
    long all = sums[MapCodes.INSERTED] + sums[MapCodes.PRESENT];
    return all == 0 ? 1 : (double) sums[MapCodes.INSERTED] / all;
  }

  /** Fails if keys waited in vain, in an operation of a structure. */
  void requireNoneStuck(String structure, String operation, Device device) {
    long stuck = of(MapCodes.STUCK);
    if (stuck != 0) {
      throw new StuckException(stuck, structure, operation, device);
    }
  }
}
