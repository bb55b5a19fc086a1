package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The jobs of a run, from what is asked for and what the machine has. */
final class Plan {

  /** What can be asked for: targets, C++ as {@code cpu}, and CUDA C++ as {@code nvcc}. */
  static final List<String> TARGETS = List.of("jvm", "cpu", "nvcc", "opencl", "ptx", "cuda");

  private final List<Job> jobs = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private Plan() {}

  /**
   * Makes the plan; builds rivals, and looks for devices.
   *
   * @param targets some of {@link #TARGETS}
   */
  static Plan make(Axes axes, List<String> targets, Launching launching, SourceText text) {
    Plan plan = new Plan();
    NativePlan rivals = new NativePlan(axes, launching.root(), text);
    // Devices first: a machine that is paid by the minute can be given back when they are done.
    plan.take("nvcc", targets, axes, () -> rivals.jobs("cuda"));
    for (Target target : List.of(Target.PTX, Target.CUDA, Target.OPENCL)) {
      plan.take(
          target.label(),
          targets,
          axes,
          () -> new DevicePlan(axes, launching, text, target).jobs());
    }
    plan.take("jvm", targets, axes, () -> new JvmPlan(axes, launching, text).jobs());
    plan.take("cpu", targets, axes, () -> rivals.jobs("cpu"));
    return plan;
  }

  private void take(String target, List<String> targets, Axes axes, Supplier<List<Job>> finder) {
    if (!targets.contains(target)) {
      missing.add(target + ": not asked for");
    } else if (axes.pairs() && List.of("cpu", "nvcc").contains(target)) {
      missing.add(target + ": an old and a new build have the same rivals");
    } else {
      try {
        jobs.addAll(finder.get());
      } catch (MissingException e) {
        missing.add(target + ": " + e.getMessage());
      }
    }
  }

  /** Says why a target cannot be measured here. */
  static final class MissingException extends GyreException {
    private static final long serialVersionUID = 1;

    MissingException(String why) {
      super(why);
    }
  }

  List<Job> jobs() {
    return List.copyOf(jobs);
  }

  /** Returns what cannot be measured, a line each. */
  List<String> missing() {
    return List.copyOf(missing);
  }
}
