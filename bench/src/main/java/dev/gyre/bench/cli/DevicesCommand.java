package dev.gyre.bench.cli;

import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeclaredProgress;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gyre devices}: what devices guarantee, and what the structures need. */
@Command(
    name = "devices",
    description = "Lists the devices that can be used, and the forward progress they give.",
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Runnable {

  private static final List<Class<?>> STRUCTURES =
      List.of(WordTrie.class, IntIntMap.class, LongLongMap.class);

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--quiet", description = "Leave out what the structures need.")
  private boolean quiet;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    String row = "%-8s %-40s %5s  %-28s %-16s %-16s %s%n";
    out.printf(
        row, "target", "device", "units", "driver", "within blocks", "across blocks", "known");
    Classifier classifier = Classifier.create();
    for (DeviceDescription d : DeviceDescription.all()) {
      Classification c = classifier.classify(d);
      out.printf(
          row,
          d.device().target().label(),
          d.device().name(),
          d.device().units(),
          d.driver(),
          c.withinBlocks().label(),
          c.acrossBlocks().label(),
          c.source().name().toLowerCase(Locale.ROOT) + ": " + c.because());
    }
    if (!quiet) {
      structures(out);
    }
  }

  private static void structures(PrintWriter out) {
    String row = "%-12s %-16s %-16s %-16s %s%n";
    out.println();
    out.printf(row, "structure", "operation", "class", "needs", "because it");
    for (Class<?> structure : STRUCTURES) {
      for (DeclaredProgress p : DeclaredProgress.of(structure)) {
        out.printf(
            row,
            p.structure(),
            p.operation(),
            p.progressClass().label(),
            p.progressClass().needs().label(),
            p.because());
      }
    }
  }
}
