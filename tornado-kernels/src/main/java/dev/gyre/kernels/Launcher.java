package dev.gyre.kernels;

/**
 * Runs kernels on one device.
 *
 * <p>What a kernel wrote happens before the return of {@link Launch#join}; what the caller wrote
 * before {@link #start} happens before the kernel. Thread-safe; launches may overlap.
 */
public interface Launcher extends AutoCloseable {

  /** The device that this launches on. */
  Device device();

  /**
   * A shape that keeps the device busy with independent pieces of work.
   *
   * @param items pieces of work that can be done at the same time, more than 0
   */
  LaunchShape shapeFor(long items);

  /**
   * Starts a kernel.
   *
   * @throws LaunchException if it cannot be launched
   * @throws dev.gyre.atomics.ClosedException if this launcher was closed
   */
  Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode);

  /**
   * Runs a kernel to its end, {@linkplain LaunchMode#STRIDED strided}.
   *
   * @throws LaunchException as {@link #start} and {@link Launch#join} do
   */
  default void run(Kernel kernel, LaunchShape shape) {
    start(kernel, shape, LaunchMode.STRIDED).join();
  }

  /** Cancels what still runs and gives the device back; further calls do nothing. */
  @Override
  void close();
}
