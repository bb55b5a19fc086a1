package dev.gyre.kernels;

import java.util.List;
import java.util.Map;

/**
 * A way to launch kernels on other devices than the JVM, found by {@link java.util.ServiceLoader}.
 *
 * <p>A provider that is installed but cannot be used, for want of a driver or a device, has no
 * devices and says why.
 */
public interface LauncherProvider {

  /** Key of {@link #facts}: name and version of the driver. */
  String DRIVER = "driver";

  /** Key of {@link #facts}: compute capability of an NVIDIA GPU, such as {@code 9.0}. */
  String COMPUTE_CAPABILITY = "compute capability";

  /** Key of {@link #facts}: {@link #GPU}, or another kind of device in small letters. */
  String KIND = "kind";

  /** The {@link #KIND} of a graphics processor. */
  String GPU = "gpu";

  /** Key of {@link #facts}: whether compiled kernels are kept for other processes, and where. */
  String KERNELS = "kernels";

  /** How kernels are compiled for the devices of this provider. */
  Target target();

  /** The devices that can be used, the fastest first; never throws. */
  List<Device> devices();

  /** Why there are no devices, in a sentence; empty where there are. */
  String problem();

  /**
   * What a device declares of itself, such as {@link #DRIVER}; empty where nothing is known.
   *
   * @param index into {@link #devices()}
   */
  default Map<String, String> facts(int index) {
    return Map.of();
  }

  /**
   * A launcher for a device.
   *
   * @param index into {@link #devices()}
   * @throws IndexOutOfBoundsException if there is no such device
   */
  Launcher open(int index);
}
