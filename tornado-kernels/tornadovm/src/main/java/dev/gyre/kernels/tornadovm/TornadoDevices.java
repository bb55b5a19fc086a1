package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.Target;
import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.runtime.TornadoCoreRuntime;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** TornadoVM's devices of one target. The first use of this class starts TornadoVM. */
final class TornadoDevices {

  static {
    // Where a kernel does not compile, TornadoVM would run it on the JVM, one thread after another.
    System.setProperty("tornado.recover.bailout", "False");
    // Without this a device function of more than 600 nodes is refused.
    System.setProperty("tornado.compiler.fullInlining", "True");
    // TornadoVM counts what it allocates against this; what a device has is checked by us.
    if (System.getProperty("tornado.device.memory") == null) {
      System.setProperty("tornado.device.memory", "1024GB");
    }
  }

  private TornadoDevices() {}

  /**
   * The devices of a target; by one thread at a time, since TornadoVM has none for who asks while
   * another one's first question makes it find them.
   */
  static synchronized List<TornadoXPUDevice> of(Target target) {
    TornadoVMBackendType type =
        switch (target) {
          case OPENCL -> TornadoVMBackendType.OPENCL;
          case PTX -> TornadoVMBackendType.PTX;
          case CUDA -> TornadoVMBackendType.CUDA;
          case JVM -> throw new IllegalArgumentException("the JVM is no device of TornadoVM's");
        };
    List<TornadoXPUDevice> devices = new ArrayList<>();
    TornadoCoreRuntime runtime = TornadoCoreRuntime.getTornadoRuntime();
    for (int i = 0; i < runtime.getNumBackends(); i++) {
      TornadoBackend backend = runtime.getBackend(i);
      if (backend.getBackendType() == type) {
        for (TornadoDevice d : backend.getAllDevices()) {
          devices.add((TornadoXPUDevice) d);
        }
      }
    }
    return devices;
  }

  static Device describe(Target target, TornadoXPUDevice device) {
    return new Device(
        target,
        device.getPhysicalDevice().getDeviceName().strip(),
        device.getPhysicalDevice().getDeviceMaxComputeUnits());
  }
}
