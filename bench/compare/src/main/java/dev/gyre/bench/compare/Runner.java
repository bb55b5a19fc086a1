package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Runs jobs one after the other and keeps their rows; one that fails is a line in the report. */
final class Runner {

  /** What failing jobs printed. */
  static final String LOG = "failures.log";

  private final RunFile run;
  private final Path root;
  private final PrintWriter out;
  private final boolean terminal;

  Runner(RunFile run, Path root, PrintWriter out, boolean terminal) {
    this.run = run;
    this.root = root;
    this.out = out;
    this.terminal = terminal;
  }

  void run(List<Job> jobs) {
    Progress progress = new Progress(out, terminal, jobs);
    boolean all = true;
    for (Job job : jobs) {
      progress.begin(job);
      all &= run(job, progress);
      progress.end(job);
    }
    if (all) {
      run.complete();
    } else {
      out.println("compare: some jobs failed, as the report says; --resume tries them again");
    }
  }

  private boolean run(Job job, Progress progress) {
    List<Row> rows = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    String commit = run.fact("commit");
    int code =
        Child.run(
            job.command(),
            root,
            job.limit(),
            line -> {
              if (line.startsWith("@progress ")) {
                progress.update(job, Double.parseDouble(line.substring("@progress ".length())));
              } else {
                lines.add(line);
                Row.parseLine(line).map(job.read()::read).ifPresent(r -> rows.add(r.at(commit)));
              }
            });
    if (code != 0 || rows.isEmpty()) {
      fail(job, code, lines);
      return false;
    }
    run.finish(job.id(), rows);
    return true;
  }

  private void fail(Job job, int code, List<String> lines) {
    String why =
        switch (code) {
          case Child.TOO_LONG -> "it took longer than %.0f s".formatted(job.limit());
          case 0 -> "it printed no row";
          default -> "it ended with %d: %s".formatted(code, reason(lines));
        };
    run.note(job.title() + ": " + why);
    List<String> entry = new ArrayList<>(List.of("# " + String.join(" ", job.command())));
    entry.addAll(lines);
    try {
      Path _ =
          Files.write(
              run.folder().resolve(LOG),
              entry,
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
    } catch (IOException e) {
      out.println("compare: no log of failures: " + e.getMessage());
    }
  }

  /** The line that says most: that of an exception, or the last. */
  private static String reason(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains("Exception") || line.contains("Error"))
        .findFirst()
        .orElse(lines.isEmpty() ? "no output" : lines.getLast())
        .strip();
  }
}
