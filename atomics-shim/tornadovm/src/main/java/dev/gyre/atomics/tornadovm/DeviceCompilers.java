package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.tornadovm.cuda.CudaCompiler;
import dev.gyre.atomics.tornadovm.opencl.OpenClCompiler;
import dev.gyre.atomics.tornadovm.ptx.PtxCompiler;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Creates the compiler of a device. */
final class DeviceCompilers {

  private DeviceCompilers() {}

  /**
   * Returns the compiler of a device. Classes of other backends are not loaded, because they may
   * not exist.
   */
  static DeviceCompiler of(TornadoXPUDevice device) {
    return switch (device.getTornadoVMBackend()) {
      case OPENCL -> new OpenClCompiler(device);
      case PTX -> new PtxCompiler(device);
      case CUDA -> new CudaCompiler(device);
      default ->
          throw new IllegalArgumentException(
              "the shim is not lowered for " + device.getTornadoVMBackend());
    };
  }
}
