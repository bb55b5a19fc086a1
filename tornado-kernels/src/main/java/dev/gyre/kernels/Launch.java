package dev.gyre.kernels;

import java.util.OptionalLong;

/** A kernel that is running, or has run. */
public interface Launch {

  /**
   * Waits for all device threads to end.
   *
   * @throws LaunchException if a device thread threw, with that as the cause; if several did, with
   *     the others suppressed in it
   * @throws LaunchCancelledException if the launch was cancelled, or if the calling thread was
   *     interrupted, which cancels it
   */
  void join();

  /**
   * Stops the launch: no further device thread begins, and waits inside device functions end at
   * once. What the kernel works on is then in a state of its own, neither old nor new.
   *
   * @return whether the launch was still running
   */
  boolean cancel();

  /** Whether all device threads have ended. */
  boolean isDone();

  /** How long the device ran the kernel, in nanoseconds, once it ended; empty where unknown. */
  default OptionalLong kernelNanos() {
    return OptionalLong.empty();
  }

  /** How long memories were sent to the device for this launch, once it ended; empty if unknown. */
  default OptionalLong transferNanos() {
    return OptionalLong.empty();
  }

  /**
   * How long the kernel was compiled for this launch, once it ended: near 0 where it was before;
   * empty if unknown.
   */
  default OptionalLong compileNanos() {
    return OptionalLong.empty();
  }
}
