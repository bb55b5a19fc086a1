package dev.gyre.bench.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeclaredProgress;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.Guarantee;
import dev.gyre.structures.Structures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gyre devices}: what devices guarantee, and what the structures need. */
@Command(
    name = "devices",
    description = "Lists the devices that can be used, and the forward progress they give.",
    mixinStandardHelpOptions = true)
final class DevicesCommand extends UserCommand implements Runnable {

  /** All tables are as wide as this, or narrower. */
  static final int COLUMNS = 100;

  private static final String ROW = "%-7s %2s %-50.50s %5s %-15s %s%n";
  private static final String INDENT = " ".repeat(11);

  @Option(names = "--quiet", description = "Leave out what the structures need.")
  private boolean quiet;

  @Option(
      names = "--operations",
      description = "List what each operation of each structure guarantees and needs.")
  private boolean operations;

  @Option(
      names = "--json",
      description = "Print an object of JSON on a line of its own for each device, and no table.")
  private boolean json;

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
    List<Target> wanted = targets.stream().map(label -> target(label, "")).toList();
    PrintWriter out = out();
    if (!noHeader && !json) {
      out.printf(ROW, "target", "no", "device", "units", "within blocks", "across blocks");
    }
    Classifier classifier = Classifier.create();
    for (DeviceDescription d : DeviceDescription.all()) {
      if (wanted.contains(d.device().target())) {
        Classification c = classifier.classify(d);
        if (json) {
          out.println(object(d, c));
        } else {
          row(out, d, c);
        }
      }
    }
    for (Launchers.Found found : Launchers.all()) {
      if (wanted.contains(found.target()) && found.devices().isEmpty()) {
        unusable(out, found);
      }
    }
    if (json) {
      return;
    }
    if (!quiet) {
      kernels(out, wanted);
      needs(out);
    }
    if (operations) {
      operations(out);
    }
  }

  private static void row(PrintWriter out, DeviceDescription d, Classification c) {
    out.printf(
        ROW,
        d.device().target().label(),
        d.index(),
        d.device().name(),
        d.device().units(),
        c.withinBlocks().label(),
        c.acrossBlocks().label());
    wrapped(out, "driver %s; %s: %s".formatted(d.driver(), source(c), c.because()));
  }

  private static String source(Classification c) {
    return c.source().name().toLowerCase(Locale.ROOT);
  }

  /** Prints a text below a row, in as many lines as it needs. */
  private static void wrapped(PrintWriter out, String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && INDENT.length() + line.length() + 1 + word.length() > COLUMNS) {
        out.println(INDENT + line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    out.println(INDENT + line);
  }

  private void unusable(PrintWriter out, Launchers.Found found) {
    String target = found.target().label();
    if (json) {
      out.println(Json.object("target", target, "problem", found.problem()));
    } else {
      out.printf("%-7s    cannot be used:%n", target);
      wrapped(out, found.problem());
    }
  }

  private static String object(DeviceDescription d, Classification c) {
    return Json.object(
        "target", d.device().target().label(),
        "index", d.index(),
        "device", d.device().name(),
        "units", d.device().units(),
        "driver", d.driver(),
        "withinBlocks", c.withinBlocks().label(),
        "acrossBlocks", c.acrossBlocks().label(),
        "source", source(c),
        "because", c.because());
  }

  private static void kernels(PrintWriter out, List<Target> wanted) {
    for (Target target : wanted) {
      String kernels = Launchers.facts(target, 0).get(LauncherProvider.KERNELS);
      if (kernels != null) {
        out.printf("%-7s    compiled kernels are %s%n", target.label(), kernels);
      }
    }
  }

  /** The strongest guarantee that an operation of each structure needs on a device. */
  private static void needs(PrintWriter out) {
    Map<Guarantee, List<String>> structures =
        Structures.ALL.stream()
            .collect(
                groupingBy(
                    DevicesCommand::need, TreeMap::new, mapping(Class::getSimpleName, toList())));
    out.println();
    out.println(
        "The progress that structures need on a device (--operations lists each operation):");
    structures.forEach(
        (need, names) -> {
          out.println(need.label());
          wrapped(out, String.join(", ", names));
        });
  }

  private static Guarantee need(Class<?> structure) {
    return Collections.max(
        DeclaredProgress.of(structure).stream().map(p -> p.onDevice().needs()).toList());
  }

  private static void operations(PrintWriter out) {
    String row = "%-35s %-16s %-16s %s%n";
    out.println();
    out.printf(row, "operation", "class", "on a device", "needs");
    for (Class<?> structure : Structures.ALL) {
      for (DeclaredProgress p : DeclaredProgress.of(structure)) {
        out.printf(
            row,
            p.structure() + "." + p.operation(),
            p.progressClass().label(),
            p.onDevice().label(),
            p.onDevice().needs().label());
        wrapped(out, "because it " + p.because());
      }
    }
  }
}
