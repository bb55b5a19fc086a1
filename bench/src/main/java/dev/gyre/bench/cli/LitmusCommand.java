package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.litmus.LitmusRunner;
import dev.gyre.progress.litmus.LitmusTest;
import dev.gyre.progress.probe.ProgressResult;
import dev.gyre.progress.probe.ProgressRuns;
import dev.gyre.progress.probe.ProgressTest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gyre litmus}: what a target's memory and scheduler guarantee, by litmus tests. */
@Command(
    name = "litmus",
    description = "Runs litmus tests of memory order and of forward progress.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A forbidden outcome fails, and so does a control that must show its outcome and does"
          + " not.",
      "Weakened controls that show nothing are listed with their number of runs. A wait"
          + " that never ends is a result: the device gives no parallel progress.",
      "Standard error names each test that failed, also with --quiet.",
      "The last line is tests=N runs=N failed=N unseen=N refused=N target=T seconds=S.",
      "Exit codes: 0 passed; 2 bad usage; 141 the reader of standard output ended;"
          + " 1 a failed test, or any other failure."
    })
final class LitmusCommand extends UserCommand implements Callable<Integer> {

  @Option(
      names = "--target",
      paramLabel = "jvm|opencl|ptx|cuda",
      description = "Where to run; by default jvm.")
  private String target = Target.JVM.label();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description =
          "How long the tests of memory order run after their first launch, all together; by"
              + " default 10.")
  private double seconds = 10;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Run only the tests of memory order whose name has this text in it.")
  private String only = "";

  @Option(names = "--no-progress", description = "Leave out the tests of forward progress.")
  private boolean noProgress;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the results as CSV; - is standard output.")
  private @Nullable Path csv;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results as JSON; - is standard output.")
  private @Nullable Path json;

  @Option(names = "--quiet", description = "Print the last line, and which tests failed.")
  private boolean quiet;

  private @Nullable OutputFile csvFile;
  private @Nullable OutputFile jsonFile;

  @Override
  public Integer call() {
    Target named = validate();
    long start = System.nanoTime();
    DeviceDescription device = DeviceDescription.of(named);
    PrintWriter out = quiet ? new PrintWriter(PrintWriter.nullWriter()) : text(csv, json);
    out.printf("%s, %s, driver %s%n%n", device.device().name(), named.label(), device.driver());
    List<LitmusResult> results = memory(device, out);
    List<ProgressResult> progress = noProgress ? List.of() : progress(device, out);
    double took = (System.nanoTime() - start) / 1e9;
    LitmusReport report = new LitmusReport(device, results, progress, took);
    out.flush();
    if (csvFile != null) {
      Outputs.write(csvFile, report.csv());
    }
    if (jsonFile != null) {
      Outputs.write(jsonFile, report.json());
    }
    return report.print(text(csv, json), err());
  }

  private Target validate() {
    if (!(seconds > 0) || seconds > 86_400) {
      throw usage("--seconds must be more than 0 and at most 86400, not " + seconds);
    }
    if (tests().isEmpty()) {
      throw usage("--only: no test has '" + only + "' in its name");
    }
    // Before a run that may take a day.
    csvFile = csv == null ? null : Outputs.of(csv);
    jsonFile = json == null ? null : Outputs.of(json);
    requireDifferent("--csv", csvFile, "--json", jsonFile);
    return target(target, "");
  }

  private List<LitmusTest> tests() {
    return LitmusTest.all().stream().filter(t -> t.label().contains(only)).toList();
  }

  private List<LitmusResult> memory(DeviceDescription device, PrintWriter out) {
    List<LitmusResult> results = new ArrayList<>();
    LitmusTables.header(out);
    try (Launcher launcher = device.open();
        LitmusRunner runner = new LitmusRunner(launcher)) {
      for (LitmusTest test : tests()) {
        LitmusResult result = runner.run(test, seconds / tests().size());
        LitmusTables.row(out, result);
        results.add(result);
      }
    }
    out.println();
    LitmusTables.unseen(out, results);
    return results;
  }

  private List<ProgressResult> progress(DeviceDescription device, PrintWriter out) {
    LitmusTables.progressHeader(out);
    List<ProgressResult> results =
        ProgressRuns.inChildren()
            .run(device, List.of(ProgressTest.values()), r -> LitmusTables.row(out, r));
    Classification found = Classifier.create().learn(device, results);
    out.printf(
        "%ngives %s forward progress within blocks, %s across blocks (%s: %s)%n",
        found.withinBlocks().label(),
        found.acrossBlocks().label(),
        found.source().name().toLowerCase(Locale.ROOT),
        found.because());
    return results;
  }
}
