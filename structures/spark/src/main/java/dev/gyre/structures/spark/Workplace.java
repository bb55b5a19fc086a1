package dev.gyre.structures.spark;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** Where a task works: on the GPU that Spark gives it, else with its own thread of the JVM. */
final class Workplace {

  private static final String GPU = "gpu";

  private Workplace() {}

  /**
   * A launcher for a task, which closes it.
   *
   * @throws GyreException if Spark gives the task a GPU that cannot be used
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
    Launchers.Choice choice = Launchers.auto();
    if (choice.target() == Target.JVM) {
      throw new GyreException(
          "Spark gives this task GPU %s, but %s".formatted(address, choice.why()));
    }
    try {
      return Launchers.open(choice.target(), Integer.parseInt(address));
    } catch (NumberFormatException e) {
      throw new GyreException(
          "Spark gives this task GPU '%s'; addresses must be numbers of devices, as gyre devices has them"
              .formatted(address));
    }
  }
}
