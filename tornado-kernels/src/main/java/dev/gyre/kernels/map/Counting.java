package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/** Device functions that add up outcomes. */
final class Counting {

  private Counting() {}

  /** Adds what a thread counted; most threads have nothing to say about most outcomes. */
  static void add(DeviceLongs counters, int outcome, long count) {
    if (count != 0) {
      // relaxed: a count, which orders nothing
      counters.fetchAddRelaxed(outcome, count);
    }
  }
}
