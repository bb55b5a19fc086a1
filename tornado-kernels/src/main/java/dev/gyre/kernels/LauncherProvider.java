package dev.gyre.kernels;

import java.util.List;
import java.util.Map;

/**
 * Service that opens launchers for devices other than the JVM, found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>A provider that is installed and cannot be used, for lack of a driver or a device, has no
 * devices and says why.
 *
 * @since 0.1.0
 */
public interface LauncherProvider {

  /** Key of {@link #facts}: name and version of the driver. */
  String DRIVER = "driver";

  /** Key of {@link #facts}: compute capability of an NVIDIA GPU, such as {@code 9.0}. */
  String COMPUTE_CAPABILITY = "compute capability";

  /** Key of {@link #facts}: {@link #GPU}, or another kind of device in lower case. */
  String KIND = "kind";

  /** The {@link #KIND} of a graphics processor. */
  String GPU = "gpu";

  /** Key of {@link #facts}: whether compiled kernels are kept for other processes, and where. */
  String KERNELS = "kernels";

  /** Returns how kernels are compiled for the devices. */
  Target target();

  /** Returns the usable devices, the fastest first; never throws. */
  List<Device> devices();

  /** Returns why there are no devices, in a sentence; empty if there are devices. */
  String problem();

  /**
   * Returns what a device declares, such as {@link #DRIVER}; empty if nothing is known.
   *
   * @param index index in {@link #devices()}
   */
  default Map<String, String> facts(int index) {
    return Map.of();
  }

  /**
   * Opens a launcher for a device. The caller closes it.
   *
   * @param index index in {@link #devices()}
   * @throws IndexOutOfBoundsException if there is no such device
   */
  Launcher open(int index);
}
