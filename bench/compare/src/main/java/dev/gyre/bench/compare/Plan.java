package dev.gyre.bench.compare;

import dev.gyre.kernels.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The jobs of a run, from what is asked for and what the machine has. */
final class Plan {

  /** Targets that can be asked for. */
  static final List<String> TARGETS = List.of("jvm", "cpu", "cuda", "opencl", "ptx");

  private final List<Job> jobs = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private Plan() {}

  /**
   * Makes the plan; builds rivals, and looks for devices.
   *
   * @param targets some of {@link #TARGETS}
   */
  static Plan make(Axes axes, Set<String> targets, Launching launching, SourceText text) {
    Plan plan = new Plan();
    if (targets.contains("jvm")) {
      plan.jobs.addAll(new JvmPlan(axes, launching, text).jobs());
    } else {
      plan.missing.add("jvm: not asked for");
    }
    NativePlan rivals = new NativePlan(axes, launching.root(), text);
    for (String target : List.of("cpu", "cuda")) {
      plan.take(target, targets, () -> rivals.jobs(target));
    }
    for (Target target : List.of(Target.OPENCL, Target.PTX)) {
      plan.take(
          target.label(), targets, () -> new DevicePlan(axes, launching, text, target).jobs());
    }
    return plan;
  }

  /** Finds the jobs of a target. */
  @FunctionalInterface
  private interface Finder {
    List<Job> find() throws MissingException;
  }

  private void take(String target, Set<String> targets, Finder finder) {
    if (!targets.contains(target)) {
      missing.add(target + ": not asked for");
      return;
    }
    try {
      jobs.addAll(finder.find());
    } catch (MissingException e) {
      missing.add(target + ": " + e.getMessage());
    }
  }

  /** Why a target cannot be measured here. */
  static final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    MissingException(String why) {
      super(why);
    }
  }

  List<Job> jobs() {
    return List.copyOf(jobs);
  }

  /** What cannot be measured, a line each. */
  List<String> missing() {
    return List.copyOf(missing);
  }
}
