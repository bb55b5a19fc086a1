package dev.gyre.atomics;

import java.io.Serial;

/** Some threads of a block wait at a {@link Block#barrier} that others never come to. */
public final class DivergentBarrierException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param block number of the block
   * @param waiting how many of its threads wait
   * @param all how many it has
   */
  public DivergentBarrierException(int block, int waiting, int all) {
    super(
        "%d of %d threads of block %d wait at a barrier, and the others have ended: all must come by"
            .formatted(waiting, all, block));
  }
}
