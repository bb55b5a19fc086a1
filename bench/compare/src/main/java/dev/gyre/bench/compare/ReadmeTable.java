package dev.gyre.bench.compare;

import dev.gyre.bench.compare.Ratios.Ratio;
import dev.gyre.bench.measure.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Writes the README's table of performance from the folders of {@code docs/results} that {@code
 * scripts/compare} made: {@code ReadmeTable ROOT}.
 */
public final class ReadmeTable {

  private static final String BEGIN = "<!-- performance: written by scripts/readme-table -->\n";
  private static final String END = "<!-- end of performance -->";

  /** What a reader of the README uses today. */
  private static final List<String> RIVALS =
      List.of(
          "ConcurrentHashMap",
          "JCTools",
          "fastutil",
          "HPPC",
          "blog-trie (C++)",
          "talk-map (CUDA C++)",
          "packed-map (CUDA C++)",
          "cuco::static_map (CUDA C++)",
          "blog-trie (CUDA C++)");

  /** A table of fewer keys fits a cache. */
  private static final int LARGE = 1 << 20;

  private static final List<String> BENCHMARKS = List.of("map-insert", "map-find", "word-count");

  private ReadmeTable() {}

  /** Puts the table into the README. */
  public static void main(String[] args) throws IOException {
    Path readme = Path.of(args[0], "README.md");
    RunFile.replace(readme, replaced(Files.readString(readme), Path.of(args[0])));
  }

  /**
   * A README with the table as it must be.
   *
   * @param root the folder of the sources
   * @throws IllegalArgumentException if there is no place for it
   */
  static String replaced(String readme, Path root) throws IOException {
    int begin = readme.indexOf(BEGIN);
    int end = readme.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "README.md has no lines "
              + BEGIN.strip()
              + " and "
              + END
              + ", between which the table is");
    }
    return readme.substring(0, begin + BEGIN.length()) + tables(root) + readme.substring(end);
  }

  private static String tables(Path root) throws IOException {
    Path results = root.resolve("docs").resolve("results");
    Markdown text = new Markdown();
    try (Stream<Path> folders = Files.list(results)) {
      for (Path folder : folders.filter(RunFile::isIn).sorted().toList()) {
        table(folder, text);
      }
    }
    return text.toString();
  }

  private static void table(Path folder, Markdown text) {
    RunFile run = RunFile.open(folder);
    text.line("");
    text.line(
        "On %s ([all numbers and charts](docs/results/%s/report.md), commit %s):"
            .formatted(machine(run), folder.getFileName(), run.fact("commit")));
    text.line("");
    text.head("", "Gyre", "ms", "rival", "ms", "speed of Gyre");
    Ratios.of(new Ranking(run.rows())).stream()
        .filter(ReadmeTable::isForReaders)
        .forEach(ratio -> text.row(cells(ratio)));
    text.line("");
    if (!run.fact("gpu").isEmpty()) {
      calls(run.rows(), text);
    }
  }

  /** What a caller waits for, where the table above has kernels alone. */
  private static void calls(List<Row> rows, Markdown text) {
    List<Row> calls = rows.stream().filter(ReadmeTable::isWholeCall).toList();
    if (calls.isEmpty()) {
      return;
    }
    text.line("Whole calls on a device, from arrays or text on the host to results there, warm:");
    text.line("");
    text.head("", "Gyre", "ms", "of which kernels");
    for (Row call : calls) {
      Situation of = Situation.of(call);
      Situation any =
          new Situation(of.benchmark(), Situation.Side.PROCESSOR, of.n(), of.circumstances());
      String kernel =
          rows.stream()
              .filter(r -> isKernelOf(r, call))
              .map(r -> Scale.digits(r.median() * 1e3))
              .findFirst()
              .orElse("");
      text.row(
          List.of(
              any.title(),
              "`%s`, %s".formatted(call.implementation(), call.target()),
              Scale.digits(call.median() * 1e3),
              kernel));
    }
    text.line("");
  }

  private static boolean isWholeCall(Row row) {
    return row.param("time").equals("end-to-end")
        && row.param("state").equals("warm")
        && isLarge(Situation.of(row));
  }

  private static boolean isKernelOf(Row row, Row call) {
    return row.param("time").equals("kernel")
        && row.params().equals(call.params().replace("time=end-to-end", "time=kernel"))
        && row.benchmark().equals(call.benchmark())
        && row.implementation().equals(call.implementation())
        && row.target().equals(call.target())
        && row.n() == call.n();
  }

  private static String machine(RunFile run) {
    String processor = run.fact("processor") + ", " + run.fact("cores") + " cores";
    String gpu = run.fact("gpu").replaceAll(", driver.*", "");
    return gpu.isEmpty() ? processor : gpu + " and " + processor;
  }

  /** Large numbers of keys, and words, beside what is used most. */
  private static boolean isForReaders(Ratio ratio) {
    Situation situation = ratio.situation();
    return isLarge(situation)
        && situation.isBase()
        && BENCHMARKS.contains(situation.benchmark())
        && RIVALS.contains(ratio.rival().implementation())
        && (situation.side() != Situation.Side.PROCESSOR
            || !situation.circumstance("type").equals("int"));
  }

  /** Texts have no number of keys. */
  private static boolean isLarge(Situation situation) {
    return situation.n() == 0 || situation.n() >= LARGE;
  }

  private static List<String> cells(Ratio ratio) {
    return List.of(
        ratio.situation().title(),
        "`%s`%s".formatted(ratio.ours().implementation(), threads(ratio.ours())),
        Scale.digits(ratio.ours().median() * 1e3),
        ratio.rival().implementation(),
        Scale.digits(ratio.rival().median() * 1e3),
        String.format(Locale.ROOT, "%.2f", ratio.speed()));
  }

  private static String threads(Row row) {
    return switch (row.target()) {
      case "jvm" -> ", " + row.threads() + (row.threads() == 1 ? " thread" : " threads");
      default -> ", " + row.target();
    };
  }
}
