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
    // If a kernel does not compile, TornadoVM would run it on the JVM, one thread after another.
    System.setProperty("tornado.recover.bailout", "False");
    // Without this setting, a device function of more than 600 nodes is refused.
    System.setProperty("tornado.compiler.fullInlining", "True");
    // TornadoVM limits its allocations by this setting; we check the capacity of the device.
    if (System.getProperty("tornado.device.memory") == null) {
      System.setProperty("tornado.device.memory", "1024GB");
    }
  }

  private TornadoDevices() {}

  /**
   * Returns the devices of a target. One thread at a time: TornadoVM returns none to a second
   * thread while the first one searches.
   */
  static synchronized List<TornadoXPUDevice> of(Target target) {
    TornadoVMBackendType type =
        switch (target) {
          case OPENCL -> TornadoVMBackendType.OPENCL;
          case PTX -> TornadoVMBackendType.PTX;
          case CUDA -> TornadoVMBackendType.CUDA;
          case JVM -> throw new IllegalArgumentException("the JVM is not a device of TornadoVM");
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
