package dev.gyre.atomics.tornadovm;

import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * What a device declares of itself.
 *
 * @param driver version of the driver; empty where not known
 * @param computeCapability of an NVIDIA GPU, such as {@code 9.0}; empty for other devices
 */
public record DeviceFacts(String driver, String computeCapability) {

  /** Asks the driver. */
  public static DeviceFacts of(TornadoXPUDevice device) {
    DeviceCompiler compiler = DeviceCompilers.of(device);
    return new DeviceFacts(compiler.driver(), compiler.computeCapability());
  }
}
