package dev.gyre.structures.map;

import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that do the steps of a bulk operation. */
final class Workers {

  /** The shape in which a worker runs a device function, on its own. */
  static final LaunchShape ALONE = LaunchShape.ofThreads(1);

  /** What a worker does with a step. */
  @FunctionalInterface
  interface Work {
    void run(int worker, Step step);
  }

  private final Launcher launcher;

  Workers(Launcher launcher) {
    this.launcher = launcher;
  }

  int count() {
    return launcher.device().units();
  }

  /**
   * Does all steps, each on one of the workers; a single step on the thread that calls.
   *
   * @throws RuntimeException what a step threw, or {@link LaunchException} if the launch failed
   */
  void run(String name, List<Step> steps, Work work) {
    int used = Math.min(count(), steps.size());
    if (used <= 1) {
      steps.forEach(step -> work.run(0, step));
      return;
    }
    AtomicInteger next = new AtomicInteger();
    try {
      launcher.run(
          (worker, shape) -> {
            int i = next.getAndIncrement();
            while (i < steps.size()) {
              work.run(worker, steps.get(i));
              i = next.getAndIncrement();
            }
          },
          LaunchShape.ofThreads(used));
    } catch (LaunchException e) {
      if (e.getCause() instanceof RuntimeException cause
          && !(cause instanceof LaunchException)
          && e.getClass() == LaunchException.class) {
        cause.addSuppressed(e);
        throw cause;
      }
      throw e;
    }
  }
}
