package dev.gyre.progress;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

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
    List<DeviceDescription> all = new ArrayList<>();
    all.add(jvm());
    for (LauncherProvider p : ServiceLoader.load(LauncherProvider.class)) {
      for (int i = 0; i < p.devices().size(); i++) {
        all.add(new DeviceDescription(p.devices().get(i), i, p.facts(i)));
      }
    }
    return all;
  }

  private static DeviceDescription jvm() {
    try (JvmLauncher launcher = JvmLauncher.create()) {
      return new DeviceDescription(
          launcher.device(),
          0,
          Map.of(
              LauncherProvider.DRIVER,
              System.getProperty("java.vm.name") + " " + Runtime.version()));
    }
  }

  /**
   * The first device of a target.
   *
   * @throws DeviceUnavailableException if there is none, saying why
   */
  public static DeviceDescription of(Target target) {
    return all().stream()
        .filter(d -> d.device().target() == target)
        .findFirst()
        .orElseThrow(() -> new DeviceUnavailableException(target, problem(target)));
  }

  private static String problem(Target target) {
    return ServiceLoader.load(LauncherProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(p -> p.target() == target)
        .map(LauncherProvider::problem)
        .findFirst()
        .orElse("no launcher for it is on the class path");
  }

  /** A launcher for the device. */
  public Launcher open() {
    if (device.target() == Target.JVM) {
      return JvmLauncher.create();
    }
    return ServiceLoader.load(LauncherProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(p -> p.target() == device.target())
        .findFirst()
        .orElseThrow(() -> new DeviceUnavailableException(device.target(), "it went away"))
        .open(index);
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
