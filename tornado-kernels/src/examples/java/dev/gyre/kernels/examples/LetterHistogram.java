package dev.gyre.kernels.examples;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * The talk's letter histogram: many threads, one array of bins, an atomic view of an array that is
 * otherwise plain. Wait-free.
 *
 * @param text the text
 * @param length its length in bytes
 * @param bins 256 longs, one per byte value
 */
public record LetterHistogram(Bytes text, long length, DeviceLongs bins) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    count(thread, shape.threads(), text, length, bins);
  }

  /** The talk's {@code letter_histogram_better}. */
  public static void count(int thread, int threads, Bytes text, long length, DeviceLongs bins) {
    for (long i = thread; i < length; i += threads) {
      // relaxed: the end of the launch publishes the bins.
      long _ = bins.fetchAddRelaxed(text.getUnsigned(i), 1);
    }
  }
}
