package dev.gyre.kernels;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds launchers: that of the JVM, and those of devices whose providers are on the class path. */
public final class Launchers {

  /**
   * What there is of a target.
   *
   * @param target how kernels are compiled
   * @param devices the devices that can be used, the fastest first
   * @param problem why there are none, in a sentence; empty where there are
   */
  public record Found(Target target, List<Device> devices, String problem) {}

  private Launchers() {}

  /** What there is, target by target; never throws. */
  public static List<Found> all() {
    return Arrays.stream(Target.values()).map(Launchers::of).toList();
  }

  private static Found of(Target target) {
    if (target == Target.JVM) {
      try (JvmLauncher jvm = JvmLauncher.create()) {
        return new Found(target, List.of(jvm.device()), "");
      }
    }
    LauncherProvider provider = provider(target);
    return provider == null
        ? new Found(
            target,
            List.of(),
            "no launcher for it is on the class path; build with TORNADOVM_HOME set"
                + " (docs/tornadovm.md)")
        : new Found(target, provider.devices(), provider.problem());
  }

  private static @Nullable LauncherProvider provider(Target target) {
    for (LauncherProvider provider : ServiceLoader.load(LauncherProvider.class)) {
      if (provider.target() == target) {
        return provider;
      }
    }
    return null;
  }

  /**
   * A launcher for the fastest device of a target; the caller closes it.
   *
   * @throws TargetUnavailableException if there is no device, saying why
   */
  public static Launcher open(Target target) {
    if (target == Target.JVM) {
      return JvmLauncher.create();
    }
    Found found = of(target);
    LauncherProvider provider = provider(target);
    if (provider == null || found.devices().isEmpty()) {
      throw new TargetUnavailableException(
          "target " + target.label() + " cannot be used: " + found.problem());
    }
    return provider.open(0);
  }
}
