package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;

/** The counters of a map's kernels, in stripes. */
record KernelCounters(Launcher launcher, DeviceLongs longs) {

  static KernelCounters of(Launcher launcher) {
    return new KernelCounters(launcher, DeviceLongs.of(Memory.ofLongs(MapCodes.STRIPED_COUNTERS)));
  }

  /** Makes all of them 0. */
  void zero() {
    for (int i = 0; i < MapCodes.STRIPED_COUNTERS; i++) {
      longs.set(i, 0);
    }
    launcher.hostWrote(longs.memory());
  }

  /** How many keys had an outcome. */
  long of(int outcome) {
    launcher.readBack(longs.memory());
    long count = 0;
    for (int stripe = 0; stripe < MapCodes.COUNTER_STRIPES; stripe++) {
      count += longs.get((long) stripe * MapCodes.STRIPE_LONGS + outcome);
    }
    return count;
  }

  /** Throws unless so many keys had an outcome. */
  void require(String what, int outcome, long expected) {
    long count = of(outcome);
    if (count != expected) {
      throw new IllegalStateException("%s: %d keys, not %d".formatted(what, count, expected));
    }
  }
}
