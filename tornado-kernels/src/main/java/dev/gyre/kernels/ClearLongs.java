package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.ThreadLongs;

/**
 * Kernel that sets longs to 0.
 *
 * @param longs the longs
 * @param length number of longs, from the first
 * @since 0.1.0
 */
@Internal
public record ClearLongs(ThreadLongs longs, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    clear(thread, shape.threads(), longs, length);
  }

  /** Sets the share of one thread to 0. */
  public static void clear(int thread, int threads, ThreadLongs longs, long length) {
    for (long i = thread; i < length; i += threads) {
      longs.set(i, 0);
    }
  }
}
