package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.measure.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Draws what a run has rows for; what there is nothing to compare in is left out. */
final class Charts {

  /** Most situations of one benchmark that get bars. */
  private static final int LEAST_BARS = 2;

  private final Ranking ranking;
  private final List<Row> rows;
  private final Path folder;
  private final List<String> drawn = new ArrayList<>();

  private Charts(List<Row> rows, Path folder) {
    this.ranking = new Ranking(rows);
    this.rows = rows;
    this.folder = folder;
  }

  /**
   * Draws all charts.
   *
   * @return their names, without suffix
   * @throws GyreException if there are no fonts to draw with
   */
  static List<String> draw(List<Row> rows, Path folder) {
    System.setProperty("java.awt.headless", "true");
    Charts charts = new Charts(rows, folder);
    try {
      charts.figureFour();
      charts.bars();
      charts.shim();
      charts.lines("size", "n", row -> (double) row.n());
      charts.lines("threads", "threads", row -> (double) row.threads());
    } catch (LinkageError | InternalError e) {
      throw new GyreException(
          "no charts: the JVM finds no fonts; install fontconfig and a font such as DejaVu, then"
              + " draw with --redraw",
          e);
    }
    return charts.drawn;
  }

  /** The blog's figure 4: its trie and ours, on the processor and on a device. */
  private void figureFour() {
    Map<String, List<Situation>> byText =
        ranking.situations().stream()
            .filter(s -> s.benchmark().equals("word-count"))
            .collect(
                Collectors.groupingBy(
                    Situation::circumstances, LinkedHashMap::new, Collectors.toList()));
    byText.forEach(
        (circumstances, situations) -> {
          List<Row> all = situations.stream().flatMap(s -> ranking.of(s).stream()).toList();
          List<Bar> bars = new FigureFour(all).bars();
          String repeat = situations.getFirst().circumstance("repeat");
          String text = situations.getFirst().circumstance("text");
          if (bars.size() >= LEAST_BARS) {
            String name = "figure-4" + (repeat.equals("1") ? "" : "-x" + repeat);
            BarChart.draw(
                "The blog's figure 4 with today's machines: words counted by a trie (text: %s%s)"
                    .formatted(text, repeat.equals("1") ? "" : ", " + repeat + " times"),
                bars,
                folder,
                name);
            drawn.add(name);
          }
        });
  }

  /** Bars for the base of each benchmark, and for the largest number of items. */
  private void bars() {
    for (Situation situation : ranking.situations()) {
      boolean plain = situation.isBase() || situation.circumstance("keys").equals("zipf");
      List<Row> best = ranking.best(situation);
      if (plain
          && best.size() >= LEAST_BARS
          && !situation.benchmark().startsWith("shim")
          && isHeadline(situation)) {
        String name = name("bars", situation);
        BarChart.draw(
            "%s %s".formatted(situation.title(), situation.side().label()),
            best.stream()
                .map(row -> new Bar(label(row), row, Ranking.isOurs(row)))
                .sorted(Comparator.comparingDouble(bar -> -bar.row().throughput()))
                .toList(),
            folder,
            name);
        drawn.add(name);
      }
    }
  }

  /** Whether a situation has as many rows as any that differs in the number of items only. */
  private boolean isHeadline(Situation situation) {
    List<Situation> alike = alike(situation);
    int most = alike.stream().mapToInt(s -> ranking.of(s).size()).max().orElse(0);
    Situation first =
        alike.stream()
            .filter(s -> ranking.of(s).size() == most)
            .reduce((_, last) -> last)
            .orElse(situation);
    return situation.equals(first);
  }

  private List<Situation> alike(Situation situation) {
    return ranking.situations().stream()
        .filter(
            s ->
                s.benchmark().equals(situation.benchmark())
                    && s.side() == situation.side()
                    && s.circumstances().equals(situation.circumstances()))
        .toList();
  }

  private static String label(Row row) {
    return switch (row.target()) {
      case "jvm", "cpu" ->
          row.implementation()
              + (row.threads() == 1 ? ", 1 thread" : ", " + row.threads() + " threads");
      default -> row.implementation() + ", " + row.target();
    };
  }

  private void shim() {
    List<Row> shim = rows.stream().filter(row -> row.benchmark().startsWith("shim-")).toList();
    if (shim.size() >= LEAST_BARS) {
      BarChart.drawPairs("A handle beside a raw VarHandle", shim, folder, "shim");
      drawn.add("shim");
    }
  }

  /** Lines over one number, for each benchmark in which it takes several values. */
  private void lines(String kind, String axis, ToDoubleFunction<Row> x) {
    Map<String, List<Row>> groups = new LinkedHashMap<>();
    for (Situation situation : ranking.situations()) {
      boolean size = kind.equals("size");
      if (!situation.isBase() || situation.benchmark().startsWith("shim")) {
        continue;
      }
      Situation key =
          new Situation(
              situation.benchmark(),
              situation.side(),
              size ? 0 : situation.n(),
              situation.circumstances());
      List<Row> chosen = size ? ranking.best(situation) : ranking.of(situation);
      groups.computeIfAbsent(title(key), _ -> new ArrayList<>()).addAll(chosen);
    }
    groups.forEach(
        (title, group) -> {
          Map<String, List<Row>> series = new LinkedHashMap<>();
          for (Row row : group) {
            series.computeIfAbsent(seriesName(row), _ -> new ArrayList<>()).add(row);
          }
          series.values().removeIf(points -> points.stream().mapToDouble(x).distinct().count() < 2);
          boolean processor = group.getFirst().param("time").isEmpty();
          if (!series.isEmpty() && (processor || kind.equals("size"))) {
            Situation situation = Situation.of(group.getFirst());
            String name = name(kind, situation);
            LineChart.draw(title, axis, series, x, folder, name);
            drawn.add(name);
          }
        });
  }

  private static String seriesName(Row row) {
    return switch (row.target()) {
      case "jvm", "cpu" -> row.implementation();
      default -> row.implementation() + ", " + row.target();
    };
  }

  private static String title(Situation situation) {
    return "%s %s".formatted(situation.title(), situation.side().label());
  }

  private static String name(String kind, Situation situation) {
    String items = kind.equals("size") || situation.n() == 0 ? "" : "-" + situation.n();
    String side =
        situation.side() == Situation.Side.PROCESSOR
            ? ""
            : "-" + situation.side().name().toLowerCase(Locale.ROOT);
    String circumstances = situation.circumstances().replaceAll("[^a-z0-9.]+", "-");
    return "%s-%s-%s%s%s"
        .formatted(kind, situation.benchmark(), circumstances, items, side)
        .replaceAll("-+", "-");
  }
}
