package dev.gyre.kernels;

import java.util.OptionalLong;

/** A kernel that is running, or has run. */
public interface Launch {

  /**
   * Waits for all device threads to end.
   *
   * <p>An interrupt of the calling thread cancels the launch, as {@link #cancel} does, and is kept.
   * The device threads that had begun are waited for all the same: what they work on is theirs
   * until they have ended. What cannot be cancelled, on a device that has begun, comes to its end
   * as if there had been no interrupt.
   *
   * @throws LaunchException if a device thread threw, with that as the cause; if several did, with
   *     the others suppressed in it
   * @throws LaunchCancelledException if the launch was cancelled before all device threads had
   *     ended; its cause is the {@link InterruptedException} if an interrupt did that
   * @throws dev.gyre.atomics.ClosedException if the launcher was closed before that, which cancels
   *     what runs; the {@link LaunchCancelledException} is suppressed in it
   * @throws LaunchTimeoutException if the device does not end it, or what was started before it
   */
  void join();

  /**
   * Stops the launch: no further device thread begins, and waits inside device functions end at
   * once. What the kernel works on is then in a state of its own, neither old nor new. Nothing
   * stops what a device has begun: there this does nothing once it has.
   *
   * @return whether the launch is stopped by this, or by another cancellation that has not come to
   *     its end
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
