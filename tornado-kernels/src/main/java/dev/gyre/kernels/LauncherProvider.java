package dev.gyre.kernels;

import java.util.List;

/**
 * A way to launch kernels on other devices than the JVM, found by {@link java.util.ServiceLoader}.
 *
 * <p>A provider that is installed but cannot be used, for want of a driver or a device, has no
 * devices and says why.
 */
public interface LauncherProvider {

  /** How kernels are compiled for the devices of this provider. */
  Target target();

  /** The devices that can be used, the fastest first; never throws. */
  List<Device> devices();

  /** Why there are no devices, in a sentence; empty where there are. */
  String problem();

  /**
   * A launcher for a device.
   *
   * @param index into {@link #devices()}
   * @throws IndexOutOfBoundsException if there is no such device
   */
  Launcher open(int index);
}
