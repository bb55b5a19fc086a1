package dev.gyre.kernels;

import dev.gyre.atomics.ThreadLongs;

/**
 * Sets longs to 0.
 *
 * @param longs what to clear
 * @param length how many, from the first
 */
public record ClearLongs(ThreadLongs longs, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    clear(thread, shape.threads(), longs, length);
  }

  /** The device function. */
  public static void clear(int thread, int threads, ThreadLongs longs, long length) {
    for (long i = thread; i < length; i += threads) {
      longs.set(i, 0);
    }
  }
}
