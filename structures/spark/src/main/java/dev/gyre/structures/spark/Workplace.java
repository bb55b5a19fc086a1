package dev.gyre.structures.spark;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.SettingException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;

/** Launcher of a task: the GPU that Spark assigned to it, otherwise its own JVM thread. */
final class Workplace {

  /**
   * Setting: label of the target by which executors use a GPU of Spark. The default is the first
   * target with a GPU.
   */
  static final String TARGET_PROPERTY = "gyre.spark.target";

  private static final String GPU = "gpu";

  private Workplace() {}

  /**
   * Returns a launcher for a task, which closes it.
   *
   * @throws GyreException if Spark assigned a GPU that cannot be used
   */
  static Launcher open(TaskContext task) {
    return open(task.resourcesJMap());
  }

  static Launcher open(Map<String, ResourceInformation> resources) {
    ResourceInformation gpu = resources.get(GPU);
    if (gpu == null || gpu.addresses().length == 0) {
      return JvmLauncher.ofWorkers(1);
    }
    String address = gpu.addresses()[0];
    int number = number(address);
    Target named = named();
    Target target = named == null ? targetOfGpu(address, number) : named;
    try {
      return Launchers.open(target, number);
    } catch (TargetUnavailableException e) {
      throw unusable(address, e.getMessage(), e);
    }
  }

  /** Returns the target of the setting, or null. */
  private static @Nullable Target named() {
    String label = System.getProperty(TARGET_PROPERTY);
    if (label == null) {
      return null;
    }
    String wanted = "the JVM is for tasks that are given no GPU";
    try {
      Target target = Target.ofLabel(label);
      if (target != Target.JVM) {
        return target;
      }
    } catch (IllegalArgumentException e) {
      wanted = String.valueOf(e.getMessage());
    }
    throw new SettingException(TARGET_PROPERTY, label, wanted);
  }

  /** Returns the fastest target with a GPU; the assigned device must be one of its devices. */
  private static Target targetOfGpu(String address, int number) {
    Launchers.Choice choice = Launchers.auto();
    Target target = choice.target();
    if (target == Target.JVM) {
      throw unusable(address, choice.why(), null);
    }
    String kind =
        Launchers.facts(target, number).getOrDefault(LauncherProvider.KIND, LauncherProvider.GPU);
    if (!kind.equals(LauncherProvider.GPU)) {
      String why =
          "device %d of target %s is a %s; -D%s=%s takes it nevertheless"
              .formatted(number, target.label(), kind, TARGET_PROPERTY, target.label());
      throw unusable(address, why, null);
    }
    return target;
  }

  private static int number(String address) {
    try {
      return Integer.parseInt(address);
    } catch (NumberFormatException e) {
      throw unusable(
          address,
          "addresses must be numbers of devices, as gyre devices has them: have the discovery"
              + " script print those",
          e);
    }
  }

  private static GyreException unusable(
      String address, @Nullable String why, @Nullable Throwable cause) {
    return new GyreException(
        "Spark gives this task GPU '%s', but %s".formatted(address, why), cause);
  }
}
