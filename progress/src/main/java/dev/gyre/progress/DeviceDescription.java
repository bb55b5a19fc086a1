package dev.gyre.progress;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A device with the facts that it declares.
 *
 * @param device the device
 * @param index its index among the devices of its target
 * @param facts what it declares; see {@link LauncherProvider#facts}
 * @since 0.1.0
 */
public record DeviceDescription(Device device, int index, Map<String, String> facts) {

  /** Returns all available devices, the JVM first. */
  public static List<DeviceDescription> all() {
    return Launchers.all().stream().flatMap(DeviceDescription::each).toList();
  }

  private static Stream<DeviceDescription> each(Launchers.Found found) {
    Target target = found.target();
    return IntStream.range(0, found.devices().size())
        .mapToObj(
            i -> new DeviceDescription(found.devices().get(i), i, Launchers.facts(target, i)));
  }

  /**
   * Returns the first device of a target.
   *
   * @throws DeviceUnavailableException if the target has no device; the message says why
   */
  public static DeviceDescription of(Target target) {
    Launchers.Found found = Launchers.find(target);
    return each(found)
        .findFirst()
        .orElseThrow(() -> new DeviceUnavailableException(target, found.problem()));
  }

  /**
   * Opens a launcher for the device. The caller closes it.
   *
   * @throws dev.gyre.kernels.TargetUnavailableException if the device is no longer available
   */
  public Launcher open() {
    return Launchers.open(device.target(), index);
  }

  /** Returns the name and version of the driver, or {@code unknown driver}. */
  public String driver() {
    return facts.getOrDefault(LauncherProvider.DRIVER, "unknown driver");
  }

  /** Returns the cache key of its classification. */
  String key() {
    return "%s, %s, %s".formatted(device.target().label(), device.name(), driver());
  }
}
