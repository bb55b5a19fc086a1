package dev.gyre.kernels.map.region;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Copies longs to those behind them: a measure of how fast memory is read and written from end to
 * end.
 *
 * @param half how many, from the first
 */
public record CopyHalf(ThreadLongs longs, long half) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long i = thread; i < half; i += shape.threads()) {
      longs.set(half + i, longs.get(i));
    }
  }
}
