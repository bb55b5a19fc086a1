package dev.gyre.kernels;

/**
 * Device threads of a launch, in blocks of equal size, like a grid of CUDA or a range of OpenCL.
 *
 * <p>Device threads are numbered through all blocks, from 0. Thread {@code t} belongs to block
 * {@code t / blockSize}.
 *
 * @param blocks number of blocks, at least 1
 * @param blockSize device threads per block, at least 1
 * @since 0.1.0
 */
public record LaunchShape(int blocks, int blockSize) {

  /** Largest number of device threads of a launch. */
  public static final int MAX_THREADS = 1 << 30;

  public LaunchShape {
    if (blocks < 1 || blockSize < 1 || (long) blocks * blockSize > MAX_THREADS) {
      throw new IllegalArgumentException(
          "a launch has 1 to "
              + MAX_THREADS
              + " device threads, not "
              + blocks
              + " blocks of "
              + blockSize);
    }
  }

  /** Returns a shape of independent device threads: blocks of one thread. */
  public static LaunchShape ofThreads(int threads) {
    return new LaunchShape(threads, 1);
  }

  /** Returns the number of device threads. */
  public int threads() {
    return blocks * blockSize;
  }
}
