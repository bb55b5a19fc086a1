package dev.gyre.atomics;

import java.io.Serial;

/**
 * Thrown if some threads of a block wait at a {@link Block#barrier} and others have ended.
 *
 * @since 0.1.0
 */
public final class DivergentBarrierException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param block number of the block
   * @param waiting number of its threads that wait
   * @param all number of its threads
   */
  public DivergentBarrierException(int block, int waiting, int all) {
    super(
        "%d of %d threads of block %d wait at a barrier and the others have ended: all threads must call it"
            .formatted(waiting, all, block));
  }
}
