package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.ResidencyException;

/**
 * Whether threads that wait for each other are sure to run at once on a device.
 *
 * @param device the device
 * @param blocksAlone why the threads of a block cannot wait for each other; empty where they can
 */
record Residency(Device device, String blocksAlone) {

  /** Compute capability from which on each thread of a warp makes progress. */
  private static final double INDEPENDENT_THREADS = 7.0;

  /**
   * By what the device is.
   *
   * @param computeCapability of an NVIDIA GPU; empty for other devices
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

  /** How many blocks of a size are sure to run at once. */
  int blocksAtOnce(CompiledKernel code, int blockSize) {
    if (blockSize == 1 && !blocksAlone.isEmpty()) {
      return device.units();
    }
    return blocksAlone.isEmpty()
        ? Math.multiplyExact(device.units(), code.blocksPerUnit(blockSize))
        : 0;
  }

  /**
   * Refuses a launch whose threads meet, where they may not be there at once.
   *
   * @return whether its blocks wait for each other, so that no other kernel may take their room
   * @throws ResidencyException if it is refused
   */
  boolean require(String kernel, CompiledKernel code, LaunchShape shape, LaunchMode mode) {
    boolean grid = mode == LaunchMode.CONCURRENT || code.meetings().ofGrid();
    if (grid || (code.meetings().ofBlock() && shape.blockSize() > 1)) {
      int room = blocksAtOnce(code, shape.blockSize());
      // Blocks whose threads meet among themselves may run one after another.
      if (room < (grid ? shape.blocks() : 1)) {
        throw new ResidencyException(kernel, device, shape, room, why(shape.blockSize()));
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
