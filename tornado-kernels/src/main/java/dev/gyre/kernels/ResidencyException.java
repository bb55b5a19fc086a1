package dev.gyre.kernels;

import java.io.Serial;

/**
 * Threads of a launch wait for each other, and are not sure to run at once: there are more than the
 * device has room for, or it runs the threads of a block one after another.
 *
 * <p>A launch as large as {@link Launcher#blocksAtOnce} says has room.
 */
public final class ResidencyException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  private final int blocks;
  private final int blockSize;
  private final int largest;

  /**
   * A refusal.
   *
   * @param largest how many blocks of that size are sure to run at once
   * @param why what sets that limit, as the end of a sentence
   */
  public ResidencyException(
      String kernel, Device device, LaunchShape shape, int largest, String why) {
    super(
        kernel,
        device,
        "its threads wait for each other, so that %d blocks of %d must run at once; sure to are %d blocks of %d: %s"
            .formatted(shape.blocks(), shape.blockSize(), largest, shape.blockSize(), why),
        null);
    this.blocks = shape.blocks();
    this.blockSize = shape.blockSize();
    this.largest = largest;
  }

  /** The shape that was refused. */
  public LaunchShape shape() {
    return new LaunchShape(blocks, blockSize);
  }

  /** How many blocks of that size are sure to run at once; 0 if not even the threads of one are. */
  public int largestBlocks() {
    return largest;
  }
}
