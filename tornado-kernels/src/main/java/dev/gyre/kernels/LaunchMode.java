package dev.gyre.kernels;

/**
 * How many device threads of a launch are guaranteed to run at the same time.
 *
 * @since 0.1.0
 */
public enum LaunchMode {
  /**
   * As many as suit the target. A device thread may start only after another one has ended. It may
   * wait for a thread that has started, and never for one that may not have started. A kernel that
   * would is refused with a {@link ResidencyException}.
   */
  STRIDED,
  /**
   * All of them; on the JVM each device thread has its own thread. For barriers and litmus tests.
   */
  CONCURRENT
}
