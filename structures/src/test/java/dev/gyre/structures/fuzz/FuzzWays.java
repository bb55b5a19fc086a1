package dev.gyre.structures.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Sources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How keys are handed over: each call in the next way. One program at a time uses it. */
final class FuzzWays implements Supplier<Sources> {

  private static final int WAYS = 4;

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
    if (onHost && Math.floorMod(next, WAYS) == WAYS - 1) {
      next++;
    }
  }

  @Override
  public Sources get() {
    return new Sources(
        device,
        switch (Math.floorMod(next, WAYS)) {
          case 0 -> Sources.Way.ARRAYS;
          case 1 -> Sources.Way.SEGMENT;
          case 2 -> Sources.Way.MEMORY;
          default -> device == null ? Sources.Way.HEAP_SEGMENT : Sources.Way.ON_DEVICE;
        });
  }
}
