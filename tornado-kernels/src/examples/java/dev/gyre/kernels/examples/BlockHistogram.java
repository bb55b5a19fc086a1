package dev.gyre.kernels.examples;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.BlockLongs;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * The letter histogram that aggregates per block first: the threads of a block count into bins of
 * their own, at block scope, meet at a barrier, and add them to the bins of all.
 *
 * <p>The threads of a block must run at once; blocks need not.
 *
 * @param text the text
 * @param length its length in bytes
 * @param rows 256 longs per block, all 0
 * @param barriers a barrier per block, {@link SyncLayout#WORDS} ints each, for its threads
 * @param bins 256 longs, one per byte value
 * @param stuck one int: how many waits gave up
 * @param blockSize threads of a block
 * @param pollLimit polls after which a wait gives up
 */
public record BlockHistogram(
    Bytes text,
    long length,
    BlockLongs rows,
    BlockInts barriers,
    DeviceLongs bins,
    DeviceInts stuck,
    int blockSize,
    long pollLimit)
    implements Kernel {

  private static final int BINS = 256;

  @Override
  public void run(int thread, LaunchShape shape) {
    count(thread, shape.threads(), text, length, rows, barriers, bins, stuck, blockSize, pollLimit);
  }

  /** Counts; a device function. */
  public static void count(
      int thread,
      int threads,
      Bytes text,
      long length,
      BlockLongs rows,
      BlockInts barriers,
      DeviceLongs bins,
      DeviceInts stuck,
      int blockSize,
      long pollLimit) {
    int block = thread / blockSize;
    long row = (long) block * BINS;
    for (long i = thread; i < length; i += threads) {
      // relaxed: the barrier publishes the row.
      long _ = rows.fetchAddRelaxed(row + text.getUnsigned(i), 1);
    }
    int met = BlockBarrier.arriveAndWait(barriers, (long) block * SyncLayout.WORDS, pollLimit);
    if (met == SyncLayout.STUCK) {
      int _ = stuck.fetchAddRelaxed(0, 1);
    }
    for (int bin = thread % blockSize; bin < BINS; bin += blockSize) {
      // relaxed: the end of the launch publishes the bins.
      long _ = bins.fetchAddRelaxed(bin, rows.loadRelaxed(row + bin));
    }
  }
}
