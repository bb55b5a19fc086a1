package dev.gyre.kernels.sync;

import dev.gyre.atomics.Internal;

/**
 * Layout of a latch, a barrier or a semaphore: ints, each in a separate cache line.
 *
 * @since 0.1.0
 */
@Internal
public final class SyncLayout {

  /** Result of a wait that reached its limit of polls. */
  public static final int STUCK = 0;

  /** Result of a wait that ended. */
  public static final int DONE = 1;

  /** Number of ints of a latch, barrier or semaphore. */
  public static final int WORDS = 64;

  /** Latch: number of missing count-downs. */
  public static final int COUNT = 0;

  /** Barrier: number of missing arrivals in this phase. */
  public static final int MISSING = 0;

  /** Barrier: number of arrivals of a phase. */
  public static final int EXPECTED = 16;

  /** Barrier: the number of the phase, which wraps around. */
  public static final int PHASE = 32;

  /** Semaphore: the next ticket. */
  public static final int NEXT = 0;

  /** Semaphore: tickets below this may enter. */
  public static final int SERVING = 32;

  private SyncLayout() {}
}
