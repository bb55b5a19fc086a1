package dev.gyre.progress.litmus;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Adds each instance of a {@link RunLitmus} to the bin of its outcome, and resets its words and
 * registers to 0.
 *
 * @param cells cells of the program, with plain words
 * @param bins {@link LitmusCodes#BIN_ROWS} rows of {@link LitmusCodes#OUTCOMES} longs
 * @param finals whether the outcome is the final content of x and y, in place of registers
 */
public record TallyLitmus(Cells cells, DeviceLongs bins, boolean finals) implements Kernel {

  private static final int BITS = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    Words words = cells.words();
    long row = (long) (thread & (LitmusCodes.BIN_ROWS - 1)) * LitmusCodes.OUTCOMES;
    for (long i = thread; i < cells.instances(); i += shape.threads()) {
      int outcome = finals ? words.get(cells.x(i)) | words.get(cells.y(i)) << BITS : 0;
      for (int r = 0; r < LitmusCodes.REGISTERS; r++) {
        outcome |= (cells.results().get(r * cells.instances() + i) & 3) << (BITS * r);
        cells.keep(i, r, 0);
      }
      long _ = bins.fetchAddRelaxed(row + outcome, 1);
      words.set(cells.x(i), 0);
      words.set(cells.y(i), 0);
      words.set(cells.z(i), 0);
    }
  }
}
