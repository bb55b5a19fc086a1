package dev.gyre.bench.compare;

import dev.gyre.bench.compare.Samples.Interval;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs jobs one after the other and keeps their rows; a case that fails is a line in the report.
 *
 * <p>The cases of a job take turns, a fork each, so that whatever changes on the machine changes
 * all of them. A case whose median is steady has no further turn.
 */
final class Runner {

  /** What failing cases printed. */
  static final String LOG = "failures.log";

  /** Parameter of rows of an old and a new build. */
  static final String BUILD = "build";

  private final RunFile run;
  private final Machine machine;
  private final PrintWriter out;
  private final boolean terminal;
  private final long deadline;
  private final Consumer<RunFile> report;

  /**
   * Makes a runner.
   *
   * @param seconds after which no further job begins
   * @param report writes the report anew, after each job
   */
  Runner(
      RunFile run,
      Machine machine,
      PrintWriter out,
      boolean terminal,
      double seconds,
      Consumer<RunFile> report) {
    this.run = run;
    this.machine = machine;
    this.out = out;
    this.terminal = terminal;
    this.deadline =
        seconds == Double.POSITIVE_INFINITY
            ? Long.MAX_VALUE
            : System.nanoTime() + (long) (seconds * 1e9);
    this.report = report;
  }

  /** Runs the jobs that the run has not done yet. */
  void run(List<Job> all) {
    run.plan(all.size());
    report.accept(run);
    List<Job> jobs = all.stream().filter(job -> !run.isDone(job.id())).toList();
    Progress progress = new Progress(out, terminal, all.size() - jobs.size(), jobs);
    int late = 0;
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      double later = jobs.subList(i + 1, jobs.size()).stream().mapToDouble(Job::seconds).sum();
      if (job.seconds() * progress.pace() > left()) {
        late++;
        continue;
      }
      progress.begin(job);
      progress.end(job, run(job, later * progress.pace(), progress));
      report.accept(run);
    }
    if (late > 0) {
      run.note("%d jobs were not begun: they could not end in time".formatted(late));
    }
    if (run.jobsDone() < all.size()) {
      out.println("compare: some jobs are not done, as the report says; --resume does them");
    }
    report.accept(run);
  }

  private double left() {
    return deadline == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : (deadline - System.nanoTime()) / 1e9;
  }

  /**
   * Runs a job.
   *
   * @param later seconds that the jobs behind it need
   * @return the seconds that its least forks took
   */
  private double run(Job job, double later, Progress progress) {
    Map<List<String>, Samples> samples = new LinkedHashMap<>();
    Map<Job.Case, Set<List<String>>> rows = new LinkedHashMap<>();
    job.cases().forEach(each -> rows.put(each, new LinkedHashSet<>()));
    OtherLoad load = new OtherLoad();
    List<Job.Case> open = new ArrayList<>(job.cases());
    boolean ended = true;
    long start = System.nanoTime();
    double leastSeconds = 0;
    long roundNanos = 0;
    for (int fork = 0; fork < job.mostForks() && !open.isEmpty(); fork++) {
      boolean must = fork < job.leastForks();
      if (!must && roundNanos / 1e9 + later > left()) {
        break;
      }
      long begin = System.nanoTime();
      // Every second round the other way around: what comes first is not always the same.
      List<Job.Case> turns = fork % 2 == 0 ? List.copyOf(open) : open.reversed().stream().toList();
      int turn = 0;
      for (Job.Case each : turns) {
        progress.update(
            job, Math.min(1, (fork + turn++ / (double) turns.size()) / job.leastForks()));
        try {
          for (Row row : each.fork()) {
            samples.computeIfAbsent(row.identity(), _ -> new Samples()).add(row);
            rows.getOrDefault(each, new LinkedHashSet<>()).add(row.identity());
          }
        } catch (IOException e) {
          fail(job, e);
          open.remove(each);
          ended = false;
        }
      }
      roundNanos = System.nanoTime() - begin;
      if (must) {
        leastSeconds = (System.nanoTime() - start) / 1e9;
      }
      if (fork + 1 >= job.leastForks()) {
        open.removeIf(
            each ->
                rows.getOrDefault(each, Set.of()).stream()
                    .allMatch(id -> samples.getOrDefault(id, new Samples()).isSteady()));
      }
    }
    List<Row> all = new ArrayList<>();
    boolean loaded = load.cores() > OtherLoad.TOO_MUCH * Machine.cores();
    samples.forEach(
        (id, of) -> {
          Row row = machine.versioned(withInterval(of, samples), run.fact("commit"));
          all.add(loaded && !row.isMemory() ? row.marked("loaded") : row);
        });
    run.addLoad(load.cores(), loaded);
    // A job of which a part failed is tried again, if anything of it may still succeed.
    if (ended || !all.isEmpty()) {
      run.finish(job.id(), all);
    }
    return leastSeconds;
  }

  /** Tells the speed of a new build against the old one, which is in the same job. */
  private static Row withInterval(Samples of, Map<List<String>, Samples> all) {
    Row row = of.merged();
    if (row.param(BUILD).equals("new")) {
      Row old =
          row.named(
              row.benchmark(),
              row.implementation(),
              row.params().replace("build=new", "build=old"));
      Samples before = all.get(old.identity());
      if (before != null) {
        Interval speed = before.speedOf(of);
        return row.and(
            String.format(
                Locale.ROOT,
                "ratio=%.4f low=%.4f high=%.4f",
                speed.ratio(),
                speed.low(),
                speed.high()));
      }
    }
    return row;
  }

  private void fail(Job job, IOException e) {
    run.note(job.title() + ": " + e.getMessage());
    Throwable output = e.getCause();
    try {
      Path _ =
          Files.writeString(
              run.folder().resolve(LOG),
              "# " + job.title() + "\n" + (output == null ? e : output.getMessage()) + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
    } catch (IOException log) {
      out.println("compare: no log of failures: " + log.getMessage());
    }
  }
}
