package dev.gyre.structures;

import dev.gyre.atomics.Internal;

/**
 * Checks that a thread has stack left before it takes what it must give back.
 *
 * <p>A {@link StackOverflowError} may end any method, also one that a finally block calls to leave
 * a lock. The JDK's locks change their state as a whole or not at all, since they have reserved
 * stack, but calling them takes stack as well, and so does waking a waiter. A thread that has
 * checked for more stack than it takes to enter and leave can overflow only in between, and then
 * leaves.
 */
@Internal
public final class StackReserve {

  /**
   * Frames of the check. Interpreted they take 5 KiB, compiled 0.8 KiB; to leave a lock and wake a
   * virtual thread takes half of that.
   */
  private static final int FRAMES = 48;

  private StackReserve() {}

  /**
   * Returns if the calling thread has stack to enter and leave a lock.
   *
   * @throws StackOverflowError if it has not; the caller has taken nothing yet
   */
  public static void require() {
    require(FRAMES);
  }

  private static void require(int frames) {
    if (frames > 0) {
      require(frames - 1);
    }
  }
}
