package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.COUNTER_STRIPES;
import static dev.gyre.kernels.map.MapCodes.STRIPED;
import static dev.gyre.kernels.map.MapCodes.STRIPE_LONGS;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;

/**
 * Device functions that add up outcomes.
 *
 * @since 0.1.0
 */
public final class Counting {

  /** Number of consecutive device threads that use the same stripe, as a power of two. */
  private static final int THREADS_SHIFT = 5;

  private Counting() {}

  /**
   * Adds the counts of a thread. Threads call it at their end, together.
   *
   * @param options with STRIPED, adds to the stripe of the thread
   */
  public static void add(DeviceLongs counters, int thread, int outcome, int count, int options) {
    int sum = Lanes.sumOfPresent(count);
    int stripe = (thread >> THREADS_SHIFT) & (COUNTER_STRIPES - 1);
    int first = (options & STRIPED) != 0 ? stripe * STRIPE_LONGS : 0;
    if (sum != 0) {
      // relaxed: a count, which orders nothing
      counters.fetchAddRelaxed(first + outcome, sum);
    }
  }
}
