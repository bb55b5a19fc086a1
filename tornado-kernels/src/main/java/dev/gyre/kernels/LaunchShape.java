package dev.gyre.kernels;

/**
 * Number of device threads of a launch: blocks of equal size, as CUDA's grid or OpenCL's range.
 *
 * <p>Device threads are numbered through all blocks, from 0; thread {@code t} belongs to block
 * {@code t / blockSize}.
 *
 * @param blocks number of blocks, at least 1
 * @param blockSize device threads of a block, at least 1
 */
public record LaunchShape(int blocks, int blockSize) {

  /** Most device threads that a launch can have. */
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

  /** The shape of independent device threads: blocks of one. */
  public static LaunchShape ofThreads(int threads) {
    return new LaunchShape(threads, 1);
  }

  /** Number of device threads. */
  public int threads() {
    return blocks * blockSize;
  }
}
