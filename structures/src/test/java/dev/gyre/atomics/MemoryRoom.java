package dev.gyre.atomics;

/**
 * The off-heap memory that the process may still take. What a test took and gave back is told by
 * asking before and after.
 */
public final class MemoryRoom implements AutoCloseable {

  private final long taken;

  private MemoryRoom(long taken) {
    this.taken = taken;
  }

  /** Bytes that may still be taken. */
  public static long left() {
    long sure = 0;
    for (long step = 1L << 62; step > 0; step >>= 1) {
      sure += takes(sure + step) ? step : 0;
    }
    return sure;
  }

  private static boolean takes(long bytes) {
    try {
      MemoryBudget.take(bytes);
    } catch (MemoryExhaustedException e) {
      return false;
    }
    MemoryBudget.giveBack(bytes);
    return true;
  }

  /** Leaves so many bytes of room, until it is closed. */
  public static MemoryRoom leave(long bytes) {
    long taken = left() - bytes;
    MemoryBudget.take(taken);
    return new MemoryRoom(taken);
  }

  @Override
  public void close() {
    MemoryBudget.giveBack(taken);
  }
}
