package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Declares that the calling thread is about to wait for threads that may not have started.
 *
 * <p>A device function calls it once, before the loop that waits, such as that of a barrier. All
 * threads that meet must run at the same time. A device function cannot ensure this, but a launch
 * can check it:
 *
 * <ul>
 *   <li>A device compiler finds these calls in a kernel. The launcher refuses a grid of more blocks
 *       than run at once, before it starts.
 *   <li>The JVM checks at the call. If the launch has more threads than workers, it fails here,
 *       before the thread waits.
 * </ul>
 *
 * <p>A wait for a thread that has started, such as the holder of a lock, is not a meeting.
 *
 * @since 0.1.0
 */
public final class Meeting {

  /** The launch that a thread of the JVM works for; launchers implement it. */
  public interface Launch {
    /** Throws if the threads of the block may not all run at once. */
    void requireBlock();

    /** Throws if the threads of the launch may not all run at once. */
    void requireGrid();

    /** Waits until all threads of the block wait. */
    void awaitBlock();
  }

  private static final ThreadLocal<@Nullable Launch> LAUNCH = new ThreadLocal<>();

  private Meeting() {}

  /** Declares that the thread waits for other threads of its block. */
  public static void ofBlock() {
    Launch launch = LAUNCH.get();
    if (launch != null) {
      launch.requireBlock();
    }
  }

  /** Declares that the thread waits for other threads of its device. */
  public static void ofDevice() {
    Launch launch = LAUNCH.get();
    if (launch != null) {
      launch.requireGrid();
    }
  }

  /** Declares that the thread waits for other threads of the system. */
  public static void ofSystem() {
    ofDevice();
  }

  /** Returns the launch that the calling thread works for; null outside of a launch. */
  static @Nullable Launch launch() {
    return LAUNCH.get();
  }

  /**
   * Sets the launch that the calling thread works for. Launchers call it.
   *
   * @param launch the launch, or null for none
   * @return the launch before
   */
  public static @Nullable Launch enter(@Nullable Launch launch) {
    Launch before = LAUNCH.get();
    if (launch == null) {
      LAUNCH.remove();
    } else {
      LAUNCH.set(launch);
    }
    return before;
  }
}
