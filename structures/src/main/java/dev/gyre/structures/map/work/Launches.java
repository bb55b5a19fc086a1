package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;

/**
 * Launches for one task of a bulk operation. If device threads wait for each other, there is one
 * launch. Otherwise another launch follows for the keys that would have had to wait, until none is
 * left.
 *
 * <p>The outcome of such a key is STUCK, and the next launch reads no other keys. All slots that a
 * launch has claimed are published when it has ended. So each launch finishes some key, unless
 * launches of other callers claim slots, too.
 */
public final class Launches {

  /** Polls of a deferring launch: it polls once and gives up. */
  private static final long ONE_POLL = 1;

  /** Kernel over a task. */
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
   * Creates the launches of a map.
   *
   * @param own whether kernels have strategies of a user, and run in specialised code
   * @param defers whether keys that would have to wait are deferred to following launches
   * @param waitsForSlots whether threads may wait for slots
   * @param polls polls after which keys are STUCK
   */
  public Launches(Workers workers, boolean own, boolean defers, boolean waitsForSlots, long polls) {
    this.workers = workers;
    this.own = own;
    this.defers = defers;
    this.waitsForSlots = waitsForSlots;
    this.mostLaunches = defers ? polls : 1;
    this.pollLimit = defers ? ONE_POLL : polls;
  }

  /** Runs a kernel that meets no RESERVED slot. */
  public void launch(Kernel kernel, long items, DeviceLongs counters) {
    if (own) {
      workers.launchOwn(kernel, items, counters);
    } else {
      workers.launch(kernel, items, counters);
    }
  }

  /**
   * Runs a task, and adds the outcomes of its keys to the counters. If a launch fails, they have
   * the counts of the launches before.
   *
   * @param options options of the first launch, in addition to the workers' options
   */
  // Yielding is a hint, for the sake of JVM threads whose launches have not ended.
  @SuppressWarnings("ThreadPriorityCheck")
  public void run(Kernels kernels, int options, TaskRange task, DeviceLongs counters) {
    int all = options | workers.options();
    int first = task.again() ? again(all) : all;
    boolean leaves = defers && (waitsForSlots || (options & MapCodes.BOUNDED) != 0);
    int used = leaves ? first | MapCodes.OUTCOMES : first;
    launch(kernels.of(used, pollLimit), task.size(), counters);
    for (long launches = 1;
        counters.get(MapCodes.STUCK) > 0 && launches < mostLaunches;
        launches++) {
      counters.set(MapCodes.STUCK, 0);
      Thread.yield();
      launch(kernels.of(again(used), pollLimit), task.size(), counters);
    }
  }

  /** Returns whether a worker that owns its slots may run a task. */
  public static boolean canBeExclusive(int options) {
    return (options & MapCodes.AGAIN) == 0;
  }

  /** Returns the options for keys that an earlier launch could not finish. */
  private static int again(int options) {
    return (options & ~MapCodes.MASKED) | MapCodes.AGAIN | MapCodes.OUTCOMES;
  }
}
