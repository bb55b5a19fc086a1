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
 * A device, with what it declares and a way to open it.
 *
 * @param device the device
 * @param index among the devices of its target
 * @param facts what it declares; see {@link LauncherProvider#facts}
 */
public record DeviceDescription(Device device, int index, Map<String, String> facts) {

  /** All devices that can be used now, the JVM first. */
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
   * The first device of a target.
   *
   * @throws DeviceUnavailableException if there is none, saying why
   */
  public static DeviceDescription of(Target target) {
    Launchers.Found found = Launchers.find(target);
    return each(found)
        .findFirst()
        .orElseThrow(() -> new DeviceUnavailableException(target, found.problem()));
  }

  /**
   * A launcher for the device; the caller closes it.
   *
   * @throws dev.gyre.kernels.TargetUnavailableException if it went away
   */
  public Launcher open() {
    return Launchers.open(device.target(), index);
  }

  /** Name and version of the driver; {@code unknown driver} where not known. */
  public String driver() {
    return facts.getOrDefault(LauncherProvider.DRIVER, "unknown driver");
  }

  /** What a classification is remembered under. */
  String key() {
    return "%s, %s, %s".formatted(device.target().label(), device.name(), driver());
  }
}
