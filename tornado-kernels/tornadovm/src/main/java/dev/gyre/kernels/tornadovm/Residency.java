package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.ResidencyException;

/**
 * Checks whether threads that wait for each other are guaranteed to run at the same time on a
 * device.
 *
 * @param device the device
 * @param blocksAlone why the threads of a block cannot wait for each other; empty if they can
 */
record Residency(Device device, String blocksAlone) {

  /** First compute capability whose warps let each thread make progress. */
  private static final double INDEPENDENT_THREADS = 7.0;

  /**
   * Returns the residency of a device.
   *
   * @param computeCapability compute capability of an NVIDIA GPU; empty for other devices
   */
  static Residency of(Device device, boolean cpu, String computeCapability) {
    String why = "";
    if (cpu) {
      why = "OpenCL on a CPU runs the threads of a block one after another";
    } else if (!computeCapability.isEmpty()
        && Double.parseDouble(computeCapability) < INDEPENDENT_THREADS) {
      why = "before compute capability 7.0 the threads of a warp do not go on by themselves";
    }
    return new Residency(device, why);
  }

  /** Returns how many blocks of a size are guaranteed to run at the same time. */
  int blocksAtOnce(CompiledKernel code, int blockSize) {
    if (blockSize == 1 && !blocksAlone.isEmpty()) {
      return device.units();
    }
    return blocksAlone.isEmpty()
        ? Math.multiplyExact(device.units(), code.blocksPerUnit(blockSize))
        : 0;
  }

  /**
   * Throws if the threads of a launch meet and may not be resident at the same time.
   *
   * @return whether its blocks wait for each other, so that it must run alone
   * @throws ResidencyException if the launch is refused
   */
  boolean require(String kernel, CompiledKernel code, LaunchShape shape, LaunchMode mode) {
    boolean grid = mode == LaunchMode.CONCURRENT || code.meetings().ofGrid();
    if (grid || (code.meetings().ofBlock() && shape.blockSize() > 1)) {
      int blocks = blocksAtOnce(code, shape.blockSize());
      // Blocks whose threads meet only within the block may run one after another.
      if (blocks < (grid ? shape.blocks() : 1)) {
        throw new ResidencyException(kernel, device, shape, blocks, why(shape.blockSize()));
      }
    }
    return grid;
  }

  private String why(int blockSize) {
    return blockSize > 1 && !blocksAlone.isEmpty()
        ? blocksAlone
        : "it has %d compute units".formatted(device.units());
  }
}
