package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Counts the outcomes of a {@link RunDeviceLitmus} and clears its words. See {@link
 * LitmusFunctions#tally}.
 *
 * @param cells as {@link RunDeviceLitmus#words}
 * @param results as {@link RunDeviceLitmus#results}
 * @param bins {@link LitmusCodes#BIN_ROWS} rows of {@link LitmusCodes#OUTCOMES} longs
 * @param instances as {@link RunDeviceLitmus#instances}
 * @param pad as {@link RunDeviceLitmus#pad}
 */
public record TallyLitmus(
    ThreadInts cells, ThreadInts results, DeviceLongs bins, long instances, int pad)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    LitmusFunctions.tally(thread, shape.threads(), cells, results, bins, instances, pad);
  }
}
