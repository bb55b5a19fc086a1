package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;

/**
 * Runs one step of a bulk operation: one launch where its threads wait for each other; else one
 * more for keys that would have had to wait, and so on, until none is left.
 *
 * <p>Such keys are those whose outcome is STUCK, and the following launch looks at no others. All
 * slots that a launch reserved are published once it has ended, so that each finishes some key,
 * except where launches of other callers reserve slots, too.
 */
public final class Launches {

  /** A wait of a deferring launch: it looks once more and gives up. */
  private static final long ONE_POLL = 1;

  /** A kernel over a step. */
  @FunctionalInterface
  public interface Kernels {
    Kernel of(int options, long pollLimit);
  }

  private final Workers workers;
  private final boolean own;
  private final boolean defers;
  private final boolean waitsForSlots;
  private final long mostLaunches;
  private final long pollLimit;

  /**
   * Launches of a map.
   *
   * @param own whether kernels have strategies of a user's, and run in code of their own
   * @param defers whether keys that would have to wait are left to following launches
   * @param waitsForSlots whether there are slots to wait for
   * @param polls after which keys are STUCK
   */
  public Launches(Workers workers, boolean own, boolean defers, boolean waitsForSlots, long polls) {
    this.workers = workers;
    this.own = own;
    this.defers = defers;
    this.waitsForSlots = waitsForSlots;
    this.mostLaunches = defers ? polls : 1;
    this.pollLimit = defers ? ONE_POLL : polls;
  }

  /** Runs a kernel that meets no reserved slot. */
  public void launch(Kernel kernel, long items, DeviceLongs counters) {
    if (own) {
      workers.launchOwn(kernel, items, counters);
    } else {
      workers.launch(kernel, items, counters);
    }
  }

  /**
   * Runs a step, and adds up in the counters what has become of its keys: where a launch fails,
   * they say what those before it did.
   *
   * @param options for the first launch, beside those of the workers
   */
  // Yielding is a hint, for threads of the JVM whose launches have not ended.
  @SuppressWarnings("ThreadPriorityCheck")
  public void run(Kernels kernels, int options, Step step, DeviceLongs counters) {
    int all = options | workers.options();
    int first = step.again() ? again(all) : all;
    boolean leaves = defers && (waitsForSlots || (options & MapCodes.BOUNDED) != 0);
    int used = leaves ? first | MapCodes.OUTCOMES : first;
    launch(kernels.of(used, pollLimit), step.size(), counters);
    for (long launches = 1;
        counters.get(MapCodes.STUCK) > 0 && launches < mostLaunches;
        launches++) {
      counters.set(MapCodes.STUCK, 0);
      Thread.yield();
      launch(kernels.of(again(used), pollLimit), step.size(), counters);
    }
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
