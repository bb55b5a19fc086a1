package dev.gyre.structures.sync;

import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.ProgressUnavailableException;

/**
 * Whether all threads of a launch are sure to run at once, as a latch or a barrier among them
 * needs: parallel progress holds only for threads that have begun.
 */
public final class Residency {

  private Residency() {}

  /**
   * Refuses a launch whose threads wait for each other across blocks, before it starts.
   *
   * @param device where it would run
   * @param found what that device guarantees
   * @param shape of the launch
   * @throws ProgressUnavailableException if the grid may not be resident at once
   */
  public static void requireAcrossBlocks(
      DeviceDescription device, Classification found, LaunchShape shape) {
    boolean jvm = device.device().target() == Target.JVM;
    int room = jvm ? Integer.MAX_VALUE : device.device().units();
    if (shape.blocks() > room) {
      throw new ProgressUnavailableException(
          "a barrier across %d blocks may never end on %s: only %d are sure to run at once"
              .formatted(shape.blocks(), device.device().name(), room));
    }
    requireWithinBlocks(device, found, shape);
  }

  /**
   * Refuses a launch whose threads wait for each other within a block.
   *
   * @throws ProgressUnavailableException if the device does not run the threads of a block at once
   */
  public static void requireWithinBlocks(
      DeviceDescription device, Classification found, LaunchShape shape) {
    if (!found.guarantee(shape.blockSize()).covers(Guarantee.PARALLEL)) {
      throw new ProgressUnavailableException(
          "threads of blocks of %d cannot wait for each other on %s, which gives %s progress (%s)"
              .formatted(
                  shape.blockSize(),
                  device.device().name(),
                  found.guarantee(shape.blockSize()).label(),
                  found.because()));
    }
  }
}
