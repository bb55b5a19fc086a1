package dev.gyre.kernels;

import java.io.Serial;

/**
 * Thrown if threads of a launch wait for each other and are not guaranteed to run at the same time.
 *
 * <p>Either there are more than fit on the device, or the device runs the threads of a block one
 * after another. A launch with at most {@link Launcher#blocksAtOnce} blocks fits.
 *
 * @since 0.1.0
 */
public final class ResidencyException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  private final int blocks;
  private final int blockSize;
  private final int largest;

  /**
   * Creates the exception.
   *
   * @param largest number of blocks of that size that are guaranteed to run at the same time
   * @param why what sets that limit, as the end of a sentence
   */
  public ResidencyException(
      String kernel, Device device, LaunchShape shape, int largest, String why) {
    super(
        kernel,
        device,
        "its threads wait for each other, so that %d blocks of %d must run at once; only %d blocks of %d are sure to: %s"
            .formatted(shape.blocks(), shape.blockSize(), largest, shape.blockSize(), why),
        null);
    this.blocks = shape.blocks();
    this.blockSize = shape.blockSize();
    this.largest = largest;
  }

  /** Returns the shape that was refused. */
  public LaunchShape shape() {
    return new LaunchShape(blocks, blockSize);
  }

  /**
   * Returns the number of blocks of that size that are guaranteed to run at the same time; 0 if not
   * even one.
   */
  public int largestBlocks() {
    return largest;
  }
}
