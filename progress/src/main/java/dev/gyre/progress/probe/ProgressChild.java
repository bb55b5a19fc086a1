package dev.gyre.progress.probe;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.progress.DeviceDescription;

/**
 * Process that runs progress tests: {@code ProgressChild TARGET TEST...}.
 *
 * <p>It writes a line when a test begins and another when it ends. {@link ProgressRuns} reads them,
 * and kills a process that hangs.
 */
final class ProgressChild {

  static final String BEGIN = "gyre-begin";
  static final String END = "gyre-end";
  static final String SEPARATOR = "\t";

  private ProgressChild() {}

  public static void main(String[] args) {
    try (Launcher launcher = DeviceDescription.of(Target.ofLabel(args[0])).open()) {
      ProgressRunner runner = new ProgressRunner(launcher);
      for (int i = 1; i < args.length; i++) {
        System.out.println(BEGIN + SEPARATOR + args[i]);
        ProgressResult r = runner.run(ProgressTest.valueOf(args[i]));
        System.out.println(
            String.join(
                SEPARATOR,
                END,
                r.test().name(),
                r.outcome().name(),
                String.valueOf(r.threads()),
                String.valueOf(r.stuck()),
                String.valueOf(r.seconds()),
                r.detail().lines().findFirst().orElse("")));
      }
    }
    // A device runtime may leave threads behind.
    Runtime.getRuntime().halt(0);
  }
}
