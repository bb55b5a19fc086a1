package dev.gyre.atomics.tornadovm;

import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Facts that a device declares.
 *
 * @param driver version of the driver; empty if unknown
 * @param computeCapability compute capability of an NVIDIA GPU, such as {@code 9.0}; empty for
 *     other devices
 */
public record DeviceFacts(String driver, String computeCapability) {

  /** Returns the facts of a device from the driver. */
  public static DeviceFacts of(TornadoXPUDevice device) {
    DeviceCompiler compiler = DeviceCompilers.of(device);
    return new DeviceFacts(compiler.driver(), compiler.computeCapability());
  }
}
