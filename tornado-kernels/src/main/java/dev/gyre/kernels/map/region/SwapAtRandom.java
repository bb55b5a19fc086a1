package dev.gyre.kernels.map.region;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Compares and exchanges longs at random, as an insert claims slots: a measure of how fast a table
 * of some size is reached so.
 *
 * @param words of which the first are the table
 * @param mask longs of the table, a power of two, less one
 * @param count how often
 * @param seed another one, other longs
 */
public record SwapAtRandom(DeviceLongs words, long mask, long count, long seed) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long i = thread; i < count; i += shape.threads()) {
      long mixed = (seed + i) * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
      // relaxed: nobody reads what is there
      long _ = words.compareAndExchangeRelaxed((mixed >>> 24) & mask, 0, i | 1);
    }
  }
}
