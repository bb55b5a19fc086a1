package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.cli.Gyre;
import dev.gyre.bench.cli.UserCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code compare} command: measures all that the machine has, and reports. */
@Command(
    name = "compare",
    sortOptions = false,
    description = {
      "Measures Gyre and its rivals on this machine: the JVM, C++ and CUDA C++ where there is a"
          + " compiler, devices where there is a TornadoVM SDK.",
      "Writes results.csv and report.html. What cannot be measured is a line in the report.",
      "With --old, measures an older build of Gyre and this one in turns, and ends with 1 if a row"
          + " is slower: the 95 %% interval of its speed lies wholly below 0.97."
    },
    mixinStandardHelpOptions = true)
public final class Compare extends UserCommand implements Callable<Integer> {

  @Option(
      names = "--quick",
      description = "Small sizes, and no job that cannot end within two and a half minutes.")
  private boolean quick;

  @Option(
      names = "--targets",
      paramLabel = "LIST",
      split = ",",
      description = "Of jvm, cpu (C++), nvcc (CUDA C++), opencl, ptx, cuda; all unless given.")
  private @Nullable List<String> targets;

  @Option(
      names = "--only",
      paramLabel = "PATTERN",
      description =
          "Only jobs in whose name this regular expression is found; one that fits none lists the"
              + " names.")
  private @Nullable Pattern only;

  @Option(
      names = "--books",
      paramLabel = "blog|ID,ID...|PATH",
      description =
          "Text whose words are counted: the ten books of the blog, books of Project Gutenberg by"
              + " number (downloaded once), or a file or folder. Generated text unless given.")
  private @Nullable String books;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results; compare-out unless given.")
  private Path out = Path.of("compare-out");

  @Option(names = "--resume", description = "Go on where an interrupted run stopped.")
  private boolean resume;

  @Option(names = "--redraw", description = "Measure nothing: a new report from results.csv.")
  private boolean redraw;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Results of an earlier run: the report says what became faster or slower.")
  private @Nullable Path against;

  @Option(
      names = "--old",
      paramLabel = "DIR",
      description =
          "A built checkout of Gyre, or a folder of its jars: measure it and this build in turns.")
  private @Nullable Path old;

  @Option(
      names = "--measurements",
      paramLabel = "FILE",
      description =
          "Measure whole processes of gyre group, and of rivals, over rows of gyre measurements,"
              + " and nothing else.")
  private @Nullable Path measurements;

  @Option(
      names = "--rival-command",
      paramLabel = "NAME=COMMAND",
      description =
          "With --measurements, a command for sh that prints the result of the one-billion-row"
              + " challenge; {} in it is the file.")
  private Map<String, String> rivalCommands = new LinkedHashMap<>();

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    Gyre.main(new CommandLine(new Compare()), args);
  }

  /**
   * Runs the command.
   *
   * @return 0, 2 where usage or input is bad, or 1
   */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return Gyre.run(new CommandLine(new Compare()), out, err, args);
  }

  @Override
  public Integer call() throws IOException {
    Path root = Path.of(System.getProperty("gyre.root", "")).toAbsolutePath();
    RunFile earlier = against == null ? null : existing("--against " + against, against);
    RunFile run;
    if (!rivalCommands.isEmpty() && measurements == null) {
      throw usage("--rival-command needs --measurements FILE");
    }
    if (measurements != null) {
      requireAlone(measurements);
    }
    if (redraw) {
      run = existing("" + out, out);
      Report.write(run, earlier);
    } else {
      run = begin(new Machine(root).facts());
      Child.unlessStopped(() -> measure(run, root, earlier), () -> reportInterrupted(run));
    }
    List<Row> slower = Comparison.slowerThanOld(run.rows());
    slower.forEach(row -> out().println("slower than the old build: " + Comparison.line(row)));
    out().println("report: " + run.folder().resolve(Report.FILE));
    return slower.isEmpty() ? Gyre.OK : Gyre.FAILED;
  }

  private void requireAlone(Path file) {
    if (!Files.isRegularFile(file)) {
      throw usage("--measurements " + file + ": no file of gyre measurements");
    }
    boolean others = quick || resume || redraw;
    if (others || Stream.of(targets, only, books, old).anyMatch(Objects::nonNull)) {
      throw usage(
          "--measurements is one job of its own: without --quick, --resume, --redraw, --targets,"
              + " --only, --books and --old");
    }
  }

  private RunFile existing(String name, Path folder) {
    if (!RunFile.isIn(folder)) {
      throw usage(name + " has no results");
    }
    return RunFile.open(folder);
  }

  private RunFile begin(Map<String, String> facts) throws IOException {
    if (resume) {
      RunFile run = existing("" + out, out);
      requireSame(run.facts(), facts);
      run.forgetNotes();
      boolean _ = Files.deleteIfExists(out.resolve(Runner.LOG));
      // A run that goes on does what it began.
      List<String> options = run.options();
      options.addAll(List.of("--resume", "--out", out.toString()));
      var _ = line().parseArgs(options.toArray(String[]::new));
      return run;
    }
    if (RunFile.isIn(out)) {
      throw usage(out + " has results already; --resume goes on, --out takes another folder");
    }
    facts.put("quick", Boolean.toString(quick));
    facts.put("targets", String.join(",", targets()));
    facts.put("books", Objects.toString(books, ""));
    facts.put("only", Objects.toString(only, ""));
    facts.put("old", Objects.toString(old, ""));
    rivalCommands.forEach((rival, command) -> facts.put("rival " + rival, command));
    return RunFile.begin(out, facts);
  }

  /** Rows of one run are of one commit and one kind of machine. */
  private void requireSame(Map<String, String> began, Map<String, String> here) {
    for (String fact : List.of("commit", "processor", "cores", "gpu")) {
      String before = began.getOrDefault(fact, "");
      String now = here.getOrDefault(fact, "");
      if (!before.equals(now)) {
        throw usage(
            "%s has results of %s '%s', and this is '%s': --out takes another folder"
                .formatted(out, fact, before, now));
      }
    }
  }

  private void reportInterrupted(RunFile run) {
    String goOn = "scripts/compare --resume --out " + out;
    out()
        .printf(
            "%ncompare: interrupted after %d of %d jobs; go on: %s%n",
            run.jobsDone(), run.jobs(), goOn);
    out().flush();
  }

  private void measure(RunFile run, Path root, @Nullable RunFile earlier) throws IOException {
    long start = System.nanoTime();
    Axes axes = new Axes(quick, old != null, Machine.cores());
    if (measurements != null) {
      Launching here = new Launching(root, "");
      List<Job> jobs = new GroupPlan(here, measurements.toAbsolutePath(), rivalCommands).jobs();
      run(run, earlier, Double.POSITIVE_INFINITY, jobs);
      return;
    }
    out().println("preparing: the text, rivals in C++, devices");
    out().flush();
    SourceText text = SourceText.make(Objects.toString(books, ""), quick);
    String sum = "%s, %d bytes, SHA-256 %s".formatted(text.name(), text.bytes(), text.sum());
    run.facts().put("text", sum);
    Launching launching = new Launching(root, old == null ? "" : Launching.older(old));
    Plan plan = Plan.make(axes, targets(), launching, text);
    plan.missing().forEach(run::note);
    double seconds = axes.budgetSeconds() - (System.nanoTime() - start) / 1e9;
    run(run, earlier, seconds, asked(plan));
  }

  private void run(RunFile run, @Nullable RunFile earlier, double seconds, List<Job> jobs) {
    boolean terminal = Boolean.getBoolean("gyre.terminal");
    new Runner(run, out(), terminal, seconds, done -> Report.write(done, earlier)).run(jobs);
  }

  private List<Job> asked(Plan plan) {
    if (only == null || plan.jobs().isEmpty()) {
      return plan.jobs();
    }
    Pattern fits = only;
    List<Job> jobs = plan.jobs().stream().filter(job -> fits.matcher(job.id()).find()).toList();
    if (jobs.isEmpty()) {
      throw usage(
          "no job's name has '%s'; the names are %s"
              .formatted(only, plan.jobs().stream().map(Job::id).collect(joining(", "))));
    }
    return jobs;
  }

  private List<String> targets() {
    List<String> asked = Objects.requireNonNullElse(targets, Plan.TARGETS);
    for (String target : asked) {
      if (!Plan.TARGETS.contains(target)) {
        throw usage(
            "unknown target '%s'; the targets are %s"
                .formatted(target, String.join(", ", Plan.TARGETS)));
      }
    }
    return asked;
  }
}
