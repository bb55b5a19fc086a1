package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.measure.MeasureMemory;
import dev.gyre.bench.measure.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes {@code report.md}: the machine, what is missing, ratios, charts, all numbers. */
final class Report {

  /** Facts that describe the machine, in the order in which they are shown. */
  private static final List<String> MACHINE =
      List.of(
          "processor",
          "cores",
          "caches",
          "memory",
          "system",
          "java",
          "gpu",
          "c++",
          "cuda",
          "text",
          "commit",
          "date");

  private final RunFile run;
  private final Markdown text = new Markdown();
  private final Ranking ranking;

  private Report(RunFile run) {
    this.run = run;
    this.ranking = new Ranking(run.rows());
  }

  /** Writes the report and draws the charts; {@code before} are results to compare with. */
  static void write(RunFile run, @Nullable RunFile before) {
    List<String> notes = new ArrayList<>(run.notes());
    List<String> charts = List.of();
    try {
      removeCharts(run.folder());
      try {
        charts = Charts.draw(run.rows(), run.folder());
      } catch (GyreException e) {
        notes.add(String.valueOf(e.getMessage()));
      }
      Report report = new Report(run);
      report.all(charts, notes, before);
      RunFile.replace(run.folder().resolve("report.md"), report.text.toString());
    } catch (IOException e) {
      throw new GyreException("cannot write the report: " + e.getMessage(), e);
    }
  }

  /** Charts of an earlier report may show what this one has no rows for. */
  private static void removeCharts(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder, "*.{svg,png}")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private void all(List<String> charts, List<String> notes, @Nullable RunFile before) {
    String gpu = run.fact("gpu").replaceAll(", driver.*", "");
    text.heading(
        1,
        "Comparison on %s, %s cores%s"
            .formatted(run.fact("processor"), run.fact("cores"), gpu.isEmpty() ? "" : ", " + gpu));
    machine();
    if (!notes.isEmpty()) {
      text.heading(2, "Not measured");
      notes.forEach(note -> text.line("- " + note));
    }
    Ratios.write(ranking, text);
    if (before != null) {
      Differences.write(before, run, text);
    }
    if (!charts.isEmpty()) {
      text.heading(2, "Charts");
      charts.forEach(name -> text.line("![%s](%s.png)".formatted(name, name)));
    }
    DeviceTimes.write(run.rows(), text);
    memory();
    numbers();
    again();
  }

  private void machine() {
    text.head("", "");
    for (String name : MACHINE) {
      if (!run.fact(name).isEmpty()) {
        text.row(List.of(name, run.fact(name)));
      }
    }
  }

  private void memory() {
    List<Row> rows =
        run.rows().stream().filter(row -> row.unit().equals(MeasureMemory.UNIT)).toList();
    if (rows.isEmpty()) {
      return;
    }
    text.heading(2, "Memory");
    text.line(
        "Bytes for each entry, keys and values included: at rest, and the most that the process had"
            + " while entries came, garbage included; each in a process of its own, whose heap"
            + " becomes no larger than need be. Room was given for all entries, or tables grew.");
    text.line("");
    text.head("entries", "structure", "load", "room", "at rest", "at most");
    for (Row row : rows) {
      text.row(
          List.of(
              String.format(Locale.ROOT, "%,d %s", row.n(), entries(row)),
              row.implementation(),
              row.param("load"),
              row.param("room"),
              String.format(Locale.ROOT, "%.1f", row.throughput()),
              row.param("peak")));
    }
  }

  private static String entries(Row row) {
    String type = row.param("type");
    String plural = type.isEmpty() ? "words" : type + "s";
    return row.benchmark().equals("set-memory") ? plural + ", a set" : plural;
  }

  private void numbers() {
    text.heading(2, "All numbers");
    text.line(
        "Milliseconds of a run: the median, the least and the most; throughput of the median.");
    text.line("Nanoseconds per operation for the shim. Of launch shapes, the best.");
    for (Situation situation : ranking.situations()) {
      text.heading(3, situation.title());
      text.head("implementation", "target", "threads", "median", "least", "most", "throughput");
      List<Row> rows =
          situation.side() == Situation.Side.KERNEL
              ? ranking.best(situation)
              : ranking.of(situation);
      Scale scale = Scale.of(rows);
      rows.forEach(row -> text.row(cells(row, scale)));
    }
  }

  private static List<String> cells(Row row, Scale scale) {
    double unit = row.benchmark().startsWith("shim") ? 1e9 : 1e3;
    return List.of(
        row.implementation(),
        row.target(),
        row.threads() == 0 ? "" : String.format(Locale.ROOT, "%,d", row.threads()),
        Scale.digits(row.median() * unit),
        Scale.digits(row.min() * unit),
        Scale.digits(row.max() * unit),
        scale.text(row));
  }

  private void again() {
    text.heading(2, "To measure it again");
    Map<String, String> facts = run.facts();
    StringBuilder command = new StringBuilder("    scripts/compare");
    if (Boolean.parseBoolean(facts.get("quick"))) {
      command.append(" --quick");
    }
    if (!facts.getOrDefault("targets", "").equals(String.join(",", Plan.TARGETS))) {
      command.append(" --targets ").append(facts.get("targets"));
    }
    String books = facts.getOrDefault("books", "");
    if (!books.isEmpty()) {
      command.append(" --books ").append(books);
    }
    String only = facts.getOrDefault("only", "");
    if (!only.isEmpty()) {
      command.append(" --only '").append(only).append("'");
    }
    text.line(command.append(" --out FOLDER").toString());
    text.line("");
    text.line(
        "Programs on the JVM run with the parallel collector and a heap of fixed size; each job is"
            + " a process of its own, in which rivals take turns, of at most a tenth of a second or"
            + " of two runs, of which the second half counts.");
  }
}
