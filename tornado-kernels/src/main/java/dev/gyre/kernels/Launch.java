package dev.gyre.kernels;

import java.util.OptionalLong;

/**
 * A launch of a kernel that is running or has ended.
 *
 * @since 0.1.0
 */
public interface Launch {

  /**
   * Waits until all device threads have ended.
   *
   * <p>An interrupt of the calling thread cancels the launch, as {@link #cancel} does, and the
   * interrupt status is kept. This method still waits for device threads that have started, because
   * they use their memory until they end. A launch that has begun on a device cannot be cancelled
   * and ends normally.
   *
   * @throws LaunchException if a device thread threw an exception, which is the cause; exceptions
   *     of other threads are suppressed in it
   * @throws LaunchCancelledException if the launch was cancelled before all device threads had
   *     ended; its cause is an {@link InterruptedException} after an interrupt
   * @throws dev.gyre.atomics.ClosedException if the launcher was closed before, which cancels
   *     launches; the {@link LaunchCancelledException} is suppressed in it
   * @throws LaunchTimeoutException if the device did not end it, or an earlier launch, in time
   */
  void join();

  /**
   * Cancels the launch: no further device thread starts, and waits inside device functions end at
   * once.
   *
   * <p>The memory of the kernel is then in an undefined state. A launch that has begun on a device
   * is not cancelled.
   *
   * @return whether the launch is cancelled, by this call or by another one that has not ended
   */
  boolean cancel();

  /** Returns whether all device threads have ended. */
  boolean isDone();

  /**
   * Returns how long the kernel ran on the device, in nanoseconds, after its end; empty if unknown.
   */
  default OptionalLong kernelNanos() {
    return OptionalLong.empty();
  }

  /**
   * Returns how long memories were sent to the device for this launch, in nanoseconds, after its
   * end; empty if unknown.
   */
  default OptionalLong transferNanos() {
    return OptionalLong.empty();
  }

  /**
   * Returns how long the kernel was compiled for this launch, in nanoseconds, after its end; near 0
   * if it was compiled before, empty if unknown.
   */
  default OptionalLong compileNanos() {
    return OptionalLong.empty();
  }
}
