package dev.gyre.kernels;

import java.util.ArrayList;
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

  /**
   * A target that was chosen for the caller.
   *
   * @param target the target; its fastest device can be opened
   * @param why which device that is, or why it is none but the JVM
   */
  public record Choice(Target target, String why) {}

  private Launchers() {}

  /** What there is, target by target; never throws. */
  public static List<Found> all() {
    return Arrays.stream(Target.values()).map(Launchers::of).toList();
  }

  /** A target with a GPU that can be used, PTX before OpenCL; the JVM where there is none. */
  public static Choice auto() {
    List<String> problems = new ArrayList<>();
    for (Target target : List.of(Target.PTX, Target.OPENCL)) {
      Found found = of(target);
      LauncherProvider provider = provider(target);
      if (provider != null && !found.devices().isEmpty()) {
        String name = found.devices().getFirst().name();
        if (LauncherProvider.GPU.equals(provider.facts(0).get(LauncherProvider.KIND))) {
          return new Choice(target, name);
        }
        problems.add(target.label() + ": " + name + " is no GPU");
      } else {
        problems.add(target.label() + ": " + found.problem());
      }
    }
    return new Choice(Target.JVM, "no GPU can be used; " + String.join("; ", problems));
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
