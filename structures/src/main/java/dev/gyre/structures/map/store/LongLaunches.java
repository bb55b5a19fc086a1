package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.function.IntFunction;

/**
 * Runs one step of a bulk operation: one launch where its threads wait for each other; else one
 * more for keys that would have had to wait, and so on, until none is left.
 *
 * <p>Such keys are those whose outcome is STUCK, and the following launch looks at no others. All
 * slots that the keys met are published by then, except by launches of other callers.
 */
public final class LongLaunches {

  /** A wait of a deferring launch: it looks once more and gives up. */
  private static final long ONE_POLL = 1;

  private final Workers workers;
  private final boolean defers;
  private final boolean waitsForSlots;
  private final long mostLaunches;
  private final long pollLimit;

  LongLaunches(LongStore store) {
    this.workers = store.workers();
    this.defers = store.defers();
    this.waitsForSlots = store.waitsForSlots();
    this.mostLaunches = defers ? store.pollLimit() : 1;
    this.pollLimit = defers ? ONE_POLL : store.pollLimit();
  }

  /** The poll limit for the kernels. */
  long pollLimit() {
    return pollLimit;
  }

  /**
   * Runs a step and adds up what it counted.
   *
   * @param options for the first launch
   * @param kernel the kernel with its options
   * @return how many keys were inserted
   */
  // Yielding is a hint, for threads of the JVM whose launches have not ended.
  @SuppressWarnings("ThreadPriorityCheck")
  long run(IntFunction<Kernel> kernel, int options, Step step, DeviceLongs counters, Sums sums) {
    int all = options | workers.options();
    int first = step.again() ? again(all) : all;
    boolean leaves = defers && (waitsForSlots || (options & MapCodes.BOUNDED) != 0);
    int used = leaves ? first | MapCodes.OUTCOMES : first;
    workers.launch(kernel.apply(used), step.size(), counters);
    long inserted = counters.get(MapCodes.INSERTED);
    sums.add(counters);
    long stuck = counters.get(MapCodes.STUCK);
    for (long launches = 1; stuck > 0 && launches < mostLaunches; launches++) {
      sums.retract(stuck);
      LongScratch.clearOutcomes(counters);
      Thread.yield();
      workers.launch(kernel.apply(again(used)), step.size(), counters);
      inserted += counters.get(MapCodes.INSERTED);
      sums.add(counters);
      stuck = counters.get(MapCodes.STUCK);
    }
    return inserted;
  }

  /** Runs a step by a worker that owns its slots, and adds up what it counted. */
  long runOwned(Kernel kernel, Step step, DeviceLongs counters, Sums sums) {
    workers.launch(kernel, step.size(), counters);
    sums.add(counters);
    return counters.get(MapCodes.INSERTED);
  }

  /** Whether a step may be run as by a worker that owns its slots. */
  static boolean canOwn(int options) {
    return (options & MapCodes.AGAIN) == 0;
  }

  /** Options for keys that an earlier launch could not finish. */
  private static int again(int options) {
    return (options & ~MapCodes.MASKED) | MapCodes.AGAIN | MapCodes.OUTCOMES;
  }
}
