package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.tornadovm.cuda.CudaCompiler;
import dev.gyre.atomics.tornadovm.opencl.OpenClCompiler;
import dev.gyre.atomics.tornadovm.ptx.PtxCompiler;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Makes the compiler of a device. */
final class DeviceCompilers {

  private DeviceCompilers() {}

  /** The compiler of a device. Classes of other backends are not touched: they may not be there. */
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
