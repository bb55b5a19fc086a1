package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.compare.Plan.MissingException;
import dev.gyre.bench.device.DeviceBenchmark;
import dev.gyre.kernels.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is measured on a device: kernels alone, and whole calls with their parts. */
record DevicePlan(Axes axes, Launching launching, SourceText text, Target target) {

  private static final double PROBE_SECONDS = 60;
  private static final double LIMIT_SECONDS = 300;

  List<Job> jobs() {
    Path arguments = Launching.arguments(target);
    if (arguments == null) {
      throw new MissingException(
          "no TornadoVM SDK: set TORNADOVM_HOME to its folder (docs/tornadovm.md)");
    }
    List<Job> jobs = new ArrayList<>();
    boolean gpu = isGpu(arguments);
    String cold = "cold=" + axes.coldRuns();
    for (int n : axes.kernelSizes(gpu)) {
      for (String layout : axes.quick() ? List.of("packed") : List.of("packed", "reference")) {
        String title = "maps that stay there, %,d ints, %s".formatted(n, layout);
        jobs.add(job(arguments, title, "resident", "n=" + n, "layout=" + layout));
      }
    }
    for (int n : axes.deviceSizes(gpu)) {
      for (String layout : axes.quick() ? List.of("packed") : List.of("packed", "line")) {
        String title = "calls of maps, %,d ints, %s".formatted(n, layout);
        jobs.add(job(arguments, title, "calls", "n=" + n, "layout=" + layout, cold));
      }
    }
    for (int repeat : axes.deviceRepeats(gpu)) {
      String file = "text=" + text.file();
      String name = "name=" + text.name();
      String title = "word counts, text %d times".formatted(repeat);
      jobs.add(job(arguments, title, "words", file, name, "repeat=" + repeat, cold));
    }
    return jobs;
  }

  private boolean isGpu(Path arguments) {
    List<String> lines = new ArrayList<>();
    int code =
        Child.run(
            command(arguments, System.getProperty("java.class.path"), "probe"),
            launching.root(),
            PROBE_SECONDS,
            lines::add);
    for (String line : lines) {
      if (line.startsWith("@device ")) {
        return line.startsWith("@device gpu");
      }
      if (line.startsWith("@missing ")) {
        throw new MissingException(line.substring("@missing ".length()));
      }
    }
    throw new MissingException(
        "looking for a device ended with %d: %s"
            .formatted(code, lines.isEmpty() ? "no output" : lines.getLast()));
  }

  private List<String> command(Path arguments, String classPath, String mode, String... more) {
    List<String> all = new ArrayList<>(List.of(mode, "target=" + target.label()));
    all.add("runs=" + axes.runs());
    all.addAll(List.of(more));
    return launching.onDevice(
        target, arguments, classPath, DeviceBenchmark.class, all.toArray(String[]::new));
  }

  private Job job(Path arguments, String title, String mode, String... more) {
    String own = System.getProperty("java.class.path");
    List<Job.Case> cases = new ArrayList<>();
    if (axes.pairs()) {
      cases.add(of(command(arguments, launching.old(), mode, more), row -> built(row, "old")));
      cases.add(of(command(arguments, own, mode, more), row -> built(row, "new")));
    } else {
      cases.add(of(command(arguments, own, mode, more), row -> row));
    }
    // A process measures for long, and times on devices differ little from one to the next.
    int forks = axes.pairs() ? axes.leastForks() : 1;
    return new Job(
        id(target, mode, more),
        target.label() + ": " + title,
        cases,
        forks,
        Math.max(forks, 3),
        cases.size() * forks * (axes.quick() ? 10 : 25));
  }

  /** Returns the id of a job, which is the same wherever the file of the text is. */
  static String id(Target target, String mode, String... more) {
    return Stream.of(more)
        .filter(each -> !each.matches("(text|cold)=.*"))
        .map(each -> each.replaceFirst("[a-z]+=", ""))
        .collect(joining("-", target.label() + "-" + mode + "-", ""));
  }

  private Job.Case of(List<String> command, Function<Row, @Nullable Row> reader) {
    return new ProgramCase(command, launching.root(), LIMIT_SECONDS, reader);
  }

  private static @Nullable Row built(Row row, String build) {
    return row.isLimit() ? null : row.and("build=" + build);
  }
}
