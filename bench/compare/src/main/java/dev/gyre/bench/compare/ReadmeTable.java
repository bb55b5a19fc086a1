package dev.gyre.bench.compare;

import static java.util.Comparator.comparing;

import dev.gyre.bench.compare.Ratios.Ratio;
import dev.gyre.bench.measure.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes the README's table of performance from the folders of {@code docs/results} that {@code
 * scripts/compare} made: {@code ReadmeTable ROOT}.
 */
public final class ReadmeTable {

  private static final String BEGIN = "<!-- performance: written by scripts/readme-table -->\n";
  private static final String END = "<!-- end of performance -->";

  private static final String JDK = "ConcurrentHashMap";
  private static final String BLOG = "blog-trie (C++)";

  /** With one thread; the faster of them. */
  private static final List<String> PRIMITIVE = List.of("fastutil", "HPPC");

  /** The same as kernels, in CUDA C++. */
  private static final List<String> CUDA =
      List.of("cuco::static_map (CUDA C++)", "blog-trie (CUDA C++)");

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

  /** A table for each run, of which a machine's newest comes first and leaves older rows out. */
  private static String tables(Path root) throws IOException {
    Path results = root.resolve("docs").resolve("results");
    Markdown text = new Markdown();
    Newest tables = new Newest();
    Newest slower = new Newest();
    try (Stream<Path> folders = Files.list(results)) {
      folders
          .filter(RunFile::isIn)
          .sorted()
          .map(RunFile::open)
          .sorted(
              comparing(ReadmeTable::machine)
                  .thenComparing(run -> run.fact("date"), Comparator.reverseOrder()))
          .forEach(run -> table(run, tables, slower, text));
    }
    text.line("");
    return text.toString();
  }

  /** Comparisons of machines that no newer run has. */
  private static final class Newest {
    private final Set<List<String>> seen = new HashSet<>();

    boolean add(RunFile run, Ratio ratio) {
      return seen.add(
          List.of(machine(run), ratio.situation().title(), ratio.rival().implementation()));
    }
  }

  private static void table(RunFile run, Newest tables, Newest compared, Markdown text) {
    Ranking ranking = new Ranking(run.rows());
    List<Ratio> ratios = Ratios.of(ranking);
    List<Ratio> rows =
        ratios.stream()
            .filter(ratio -> isForReaders(ratio, ratios, !run.fact("gpu").isEmpty()))
            .filter(ratio -> tables.add(run, ratio))
            .toList();
    String slower =
        Slower.sentence(
            Ratios.all(ranking).stream()
                .filter(ratio -> !ratio.situation().benchmark().startsWith("shim"))
                .filter(ratio -> compared.add(run, ratio))
                .toList());
    if (rows.isEmpty()) {
      // What newer runs left of it is of code that has changed since.
      return;
    }
    text.line("");
    text.line(
        "On %s ([all numbers and charts](docs/results/%s/report.md), commit %s):"
            .formatted(machine(run), run.folder().getFileName(), run.fact("commit")));
    text.line("");
    text.head("", "Gyre", "ms", "rival", "ms", "speed of Gyre");
    rows.forEach(ratio -> text.row(cells(ratio)));
    if (!slower.isEmpty()) {
      text.line("");
      text.line(slower);
    }
  }

  private static String machine(RunFile run) {
    String processor = run.fact("processor") + ", " + run.fact("cores") + " cores";
    String gpu = run.fact("gpu").replaceAll(", driver.*", "");
    return gpu.isEmpty() ? processor : gpu + " and " + processor;
  }

  /**
   * What people choose by, six rows a machine: words, and maps of the largest number of keys,
   * beside what is used most; what fits in caches is in the line below. Where there is a GPU,
   * kernels stand for the rows of one thread and of words beside the JDK's map.
   */
  private static boolean isForReaders(Ratio ratio, List<Ratio> all, boolean gpu) {
    Situation situation = ratio.situation();
    if (!situation.isBase() || !BENCHMARKS.contains(situation.benchmark())) {
      return false;
    }
    String rival = ratio.rival().implementation();
    boolean words = situation.benchmark().equals("word-count");
    if (situation.side() == Situation.Side.KERNEL) {
      return CUDA.contains(rival) && isLargest(situation, all);
    }
    if (words) {
      return situation.circumstance("repeat").equals("1")
          && (rival.equals(BLOG) || (rival.equals(JDK) && !gpu));
    }
    return situation.circumstance("type").equals("long")
        && isLargest(situation, all)
        && (rival.equals(JDK) || (isFastest(ratio, all) && !gpu));
  }

  /** Whether nothing like it has more keys, or more text. */
  private static boolean isLargest(Situation situation, List<Ratio> all) {
    return all.stream()
        .map(Ratio::situation)
        .filter(other -> other.benchmark().equals(situation.benchmark()))
        .filter(other -> other.side() == situation.side() && other.isBase())
        .filter(other -> other.circumstance("type").equals(situation.circumstance("type")))
        .noneMatch(other -> size(other) > size(situation));
  }

  /** Texts have no number of keys, but are repeated. */
  private static long size(Situation situation) {
    String repeat = situation.circumstance("repeat");
    return repeat.isEmpty() ? situation.n() : Long.parseLong(repeat);
  }

  private static boolean isFastest(Ratio ratio, List<Ratio> all) {
    return PRIMITIVE.contains(ratio.rival().implementation())
        && all.stream()
            .filter(other -> other.situation().equals(ratio.situation()))
            .filter(other -> PRIMITIVE.contains(other.rival().implementation()))
            .noneMatch(other -> other.rival().median() < ratio.rival().median());
  }

  private static List<String> cells(Ratio ratio) {
    return List.of(
        ratio.situation().title(),
        "`%s`%s".formatted(ratio.ours().implementation(), threads(ratio.ours())),
        Scale.digits(ratio.ours().median() * 1e3),
        ratio.rival().implementation(),
        Scale.digits(ratio.rival().median() * 1e3),
        ratio.text());
  }

  private static String threads(Row row) {
    return switch (row.target()) {
      case "jvm" -> ", " + row.threads() + (row.threads() == 1 ? " thread" : " threads");
      default -> ", " + row.target();
    };
  }
}
