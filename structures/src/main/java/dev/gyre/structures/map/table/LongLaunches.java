package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;
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

  /**
   * Launches of a map.
   *
   * @param defers whether keys that would have to wait are left to following launches
   * @param waitsForSlots whether there are slots to wait for
   * @param polls after which keys are STUCK
   */
  public LongLaunches(Workers workers, boolean defers, boolean waitsForSlots, long polls) {
    this.workers = workers;
    this.defers = defers;
    this.waitsForSlots = waitsForSlots;
    this.mostLaunches = defers ? polls : 1;
    this.pollLimit = defers ? ONE_POLL : polls;
  }

  /** The poll limit for the kernels. */
  public long pollLimit() {
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
  public long run(
      IntFunction<Kernel> kernel, int options, Step step, DeviceLongs counters, Sums sums) {
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

  /** Whether a step may be run as by a worker that owns its slots. */
  public static boolean canOwn(int options) {
    return (options & MapCodes.AGAIN) == 0;
  }

  /** Options for keys that an earlier launch could not finish. */
  private static int again(int options) {
    return (options & ~MapCodes.MASKED) | MapCodes.AGAIN | MapCodes.OUTCOMES;
  }
}
