package dev.gyre.bench.cli;

import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeclaredProgress;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.structures.Structures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gyre devices}: what devices guarantee, and what the structures need. */
@Command(
    name = "devices",
    description = "Lists the devices that can be used, and the forward progress they give.",
    mixinStandardHelpOptions = true)
final class DevicesCommand extends UserCommand implements Runnable {

  private static final String ROW = "%-8s %2s  %-40s %5s  %-28s %-16s %-16s %s%n";

  @Option(names = "--quiet", description = "Leave out what the structures need.")
  private boolean quiet;

  @Option(
      names = "--target",
      paramLabel = "jvm|opencl|ptx|cuda",
      description = "List only this target; may be given more than once.")
  private List<String> targets = Arrays.stream(Target.values()).map(Target::label).toList();

  // scripts/gyre puts one table together from processes that have a backend each.
  @Option(names = "--no-header", hidden = true)
  private boolean noHeader;

  @Override
  public void run() {
    List<Target> wanted =
        targets.stream().map(label -> Targets.ofLabel(line(), label, "")).toList();
    PrintWriter out = out();
    if (!noHeader) {
      out.printf(
          ROW,
          "target",
          "no",
          "device",
          "units",
          "driver",
          "within blocks",
          "across blocks",
          "known");
    }
    Classifier classifier = Classifier.create();
    for (DeviceDescription d : DeviceDescription.all()) {
      if (wanted.contains(d.device().target())) {
        row(out, d, classifier.classify(d));
      }
    }
    for (Launchers.Found found : Launchers.all()) {
      if (wanted.contains(found.target()) && found.devices().isEmpty()) {
        out.printf("%-8s cannot be used: %s%n", found.target().label(), found.problem());
      }
    }
    if (!quiet) {
      for (Target target : wanted) {
        String kernels = Launchers.facts(target, 0).get(LauncherProvider.KERNELS);
        if (kernels != null) {
          out.printf("%-8s compiled kernels are %s%n", target.label(), kernels);
        }
      }
      structures(out);
    }
  }

  private static void row(PrintWriter out, DeviceDescription d, Classification c) {
    out.printf(
        ROW,
        d.device().target().label(),
        d.index(),
        d.device().name(),
        d.device().units(),
        d.driver(),
        c.withinBlocks().label(),
        c.acrossBlocks().label(),
        c.source().name().toLowerCase(Locale.ROOT) + ": " + c.because());
  }

  private static void structures(PrintWriter out) {
    String row = "%-13s %-22s %-16s %-16s %-16s %s%n";
    out.println();
    out.printf(row, "structure", "operation", "class", "on a device", "needs", "because it");
    for (Class<?> structure : Structures.ALL) {
      for (DeclaredProgress p : DeclaredProgress.of(structure)) {
        out.printf(
            row,
            p.structure(),
            p.operation(),
            p.progressClass().label(),
            p.onDevice().label(),
            p.onDevice().needs().label(),
            p.because());
      }
    }
  }
}
