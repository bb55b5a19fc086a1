package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;

/**
 * Launches of kernels over keys that are no numbers, which may meet a slot that another thread has
 * reserved. They wait for it, or leave the key to a following launch: where a launch has ended,
 * every slot that it reserved is published, so that each launch finishes some key.
 */
public final class TextLaunches {

  /** A wait of a deferring launch: it looks once more and gives up. */
  private static final long ONE_POLL = 1;

  /** A kernel over a step. */
  @FunctionalInterface
  public interface Kernels {
    Kernel of(int options, long pollLimit);
  }

  private final Workers workers;
  private final Launching by;
  private final long mostLaunches;
  private final long pollLimit;

  /**
   * Launches by workers.
   *
   * @param defers whether a key whose slot is reserved is left to a following launch
   */
  public TextLaunches(Workers workers, boolean defers, long pollLimit) {
    this(workers, workers::launch, defers ? pollLimit : 1, defers ? ONE_POLL : pollLimit);
  }

  private TextLaunches(Workers workers, Launching by, long mostLaunches, long pollLimit) {
    this.workers = workers;
    this.by = by;
    this.mostLaunches = mostLaunches;
    this.pollLimit = pollLimit;
  }

  /** The same of kernels that have strategies of a user's, in code of their own. */
  public TextLaunches own() {
    return new TextLaunches(workers, workers::launchOwn, mostLaunches, pollLimit);
  }

  private interface Launching {
    void launch(Kernel kernel, long items, DeviceLongs counters);
  }

  /** Runs a kernel that meets no reserved slot. */
  public void launch(Kernel kernel, long items, DeviceLongs counters) {
    by.launch(kernel, items, counters);
  }

  /**
   * Runs a step, and adds up in the counters what has become of its keys.
   *
   * @param more options beside those of the workers
   */
  // Yielding is a hint, for threads of the JVM whose launches have not ended.
  @SuppressWarnings("ThreadPriorityCheck")
  public void run(Kernels kernels, int more, Step step, DeviceLongs counters) {
    int options = workers.options() + more;
    by.launch(kernels.of(options, pollLimit), step.size(), counters);
    for (long launches = 1;
        counters.get(MapCodes.STUCK) > 0 && launches < mostLaunches;
        launches++) {
      counters.set(MapCodes.STUCK, 0);
      Thread.yield();
      by.launch(kernels.of(options + MapCodes.AGAIN, pollLimit), step.size(), counters);
    }
  }
}
