package dev.gyre.kernels.litmus;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Message passing with scopes that do not match. See {@link LitmusFunctions#mismatch}.
 *
 * @param near the cells, as {@link RunDeviceLitmus#words}
 * @param far the same memory
 * @param results as {@link RunDeviceLitmus#results}
 * @param group how many neighbours have the same role
 * @param testThreads threads that run instances, a multiple of {@code 2 * group}
 * @param instances number of instances
 * @param pad ints from one instance's word to the next one's
 */
public record RunMismatch(
    BlockInts near,
    DeviceInts far,
    ThreadInts results,
    int group,
    int testThreads,
    long instances,
    int pad)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    LitmusFunctions.mismatch(thread, near, far, results, group, testThreads, instances, pad);
  }
}
