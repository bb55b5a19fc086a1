package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How keys are handed over: each call in the next way. One program at a time uses it. */
final class FuzzWays implements Supplier<FuzzSources> {

  private @Nullable Launcher device;
  private int next;

  /** Begins again; the map is with this launcher, or on the JVM. */
  void begin(int first, @Nullable Launcher device) {
    this.next = first;
    this.device = device;
  }

  /** Hands over arrays until the next step. */
  void arrays() {
    next = 0;
  }

  /**
   * The next way.
   *
   * @param onHost whether masks and outcomes of the host ask for keys there
   */
  void step(boolean onHost) {
    next++;
    if (onHost && Math.floorMod(next, FuzzSources.WAYS) == FuzzSources.WAYS - 1) {
      next++;
    }
  }

  @Override
  public FuzzSources get() {
    return new FuzzSources(device, next);
  }
}
