package dev.gyre.bench.compare;

import dev.gyre.bench.compare.Samples.Interval;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs jobs one after another and keeps their rows; a case that fails is a line in the report.
 *
 * <p>The cases of a job take turns, a fork each, so that whatever changes on the machine changes
 * all of them. A case whose median is steady has no further turn.
 *
 * @param seconds after which no further job begins
 * @param report writes the report anew, after each job
 */
record Runner(
    RunFile run, PrintWriter out, boolean terminal, double seconds, Consumer<RunFile> report) {

  /** What failing cases printed. */
  static final String LOG = "failures.log";

  /** Parameter of rows of an old and a new build. */
  static final String BUILD = "build";

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
      if (job.seconds() * progress.pace() > seconds - progress.elapsed()) {
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

  /**
   * Runs a job.
   *
   * @param later seconds that the jobs behind it need
   * @return the seconds that its least forks took
   */
  private double run(Job job, double later, Progress progress) {
    Map<List<String>, Samples> samples = new LinkedHashMap<>();
    IdentityHashMap<Job.Case, Set<Samples>> of = new IdentityHashMap<>();
    List<Job.Case> open = new ArrayList<>(job.cases());
    OtherLoad load = new OtherLoad();
    boolean failed = false;
    double leastSeconds = 0;
    double roundSeconds = 0;
    for (int fork = 0; fork < job.mostForks() && !open.isEmpty(); fork++) {
      boolean must = fork < job.leastForks();
      if (!must && roundSeconds + later > seconds - progress.elapsed()) {
        break;
      }
      long begin = System.nanoTime();
      // Every second round the other way around: what comes first is not always the same.
      List<Job.Case> turns = List.copyOf(fork % 2 == 0 ? open : open.reversed());
      for (int turn = 0; turn < turns.size(); turn++) {
        Job.Case each = turns.get(turn);
        progress.update(job, Math.min(1, (fork + 1.0 * turn / turns.size()) / job.leastForks()));
        try {
          for (Row row : each.fork()) {
            Samples forks = samples.computeIfAbsent(row.identity(), _ -> new Samples());
            forks.add(row);
            boolean _ = of.computeIfAbsent(each, _ -> new HashSet<>()).add(forks);
          }
        } catch (IOException e) {
          fail(job, e);
          open.remove(each);
          failed = true;
        }
      }
      roundSeconds = (System.nanoTime() - begin) / 1e9;
      leastSeconds += must ? roundSeconds : 0;
      if (fork + 1 >= job.leastForks()) {
        open.removeIf(each -> of.getOrDefault(each, Set.of()).stream().allMatch(Samples::isSteady));
      }
    }
    List<Row> all = new ArrayList<>();
    boolean loaded = load.cores() > OtherLoad.TOO_MUCH * Machine.cores();
    for (Samples forks : samples.values()) {
      Row row = Machine.versioned(withInterval(forks, samples), run);
      all.add(loaded && !row.isMemory() ? row.marked("loaded") : row);
    }
    run.addLoad(load.cores(), loaded);
    // A job of which a part failed is tried again, if anything of it may still succeed.
    if (!failed || !all.isEmpty()) {
      run.finish(job.id(), all);
    }
    return leastSeconds;
  }

  /** Tells the speed of a new build against the old one, which is in the same job. */
  private static Row withInterval(Samples of, Map<List<String>, Samples> all) {
    Row row = of.merged();
    String old = row.params().replace("build=new", "build=old");
    Samples before = all.get(row.with(Map.of("params", old)).identity());
    if (before == null || !row.param(BUILD).equals("new")) {
      return row;
    }
    Interval speed = before.speedOf(of);
    return row.and(
        String.format(
            Locale.ROOT,
            "ratio=%.4f low=%.4f high=%.4f",
            speed.ratio(),
            speed.low(),
            speed.high()));
  }

  private void fail(Job job, IOException e) {
    run.note(job.title() + ": " + e.getMessage());
    String output = e.getCause() == null ? e.toString() : e.getCause().getMessage();
    try {
      Path _ =
          Files.writeString(
              run.folder().resolve(LOG),
              "# " + job.title() + "\n" + output + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
    } catch (IOException log) {
      out.println("compare: no log of failures: " + log.getMessage());
    }
  }
}
