package dev.gyre.kernels;

/** How many of a launch's device threads are sure to run at the same time. */
public enum LaunchMode {
  /**
   * As many as suits the target; a device thread may run only after another has ended. A device
   * thread may wait for one that has begun, never for one that may not have: one that would is
   * refused with a {@link ResidencyException}.
   */
  STRIDED,
  /** All: on the JVM every device thread has a thread of its own. For barriers and litmus tests. */
  CONCURRENT
}
