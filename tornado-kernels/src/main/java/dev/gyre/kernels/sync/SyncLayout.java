package dev.gyre.kernels.sync;

/** Where the words of a latch, a barrier or a semaphore are: ints, apart by a cache line. */
public final class SyncLayout {

  /** A wait that reached its limit of polls. */
  public static final int STUCK = 0;

  /** A wait that ended. */
  public static final int DONE = 1;

  /** Ints of one latch, barrier or semaphore. */
  public static final int WORDS = 64;

  /** Latch: how many count-downs are missing. */
  public static final int COUNT = 0;

  /** Barrier: arrivals that this phase still waits for. */
  public static final int MISSING = 0;

  /** Barrier: how many arrivals a phase needs. */
  public static final int EXPECTED = 16;

  /** Barrier: the number of the phase, which wraps around. */
  public static final int PHASE = 32;

  /** Semaphore: the next ticket. */
  public static final int NEXT = 0;

  /** Semaphore: tickets below this may enter. */
  public static final int SERVING = 32;

  private SyncLayout() {}
}
