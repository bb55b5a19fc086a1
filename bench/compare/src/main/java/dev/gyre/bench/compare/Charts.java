package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.measure.Row;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Draws what a run has rows for; what there is nothing to compare in is left out. */
final class Charts {

  /** Fewer bars compare nothing. */
  private static final int LEAST_BARS = 2;

  private static final int FONT_SIZE = 12;

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
    requireFonts();
    Charts charts = new Charts(rows, folder);
    charts.figureFour();
    charts.bars();
    charts.shim();
    charts.sizes();
    charts.threads();
    return charts.drawn;
  }

  /** Measures a letter: a JVM without fonts fails there, in one of three ways. */
  private static void requireFonts() {
    Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    try {
      graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_SIZE));
      graphics.getFontMetrics().stringWidth("0");
    } catch (LinkageError | InternalError | RuntimeException e) {
      throw new GyreException(
          "no charts: the JVM finds no fonts; install fontconfig and a font such as DejaVu, then"
              + " draw with --redraw",
          e);
    } finally {
      graphics.dispose();
    }
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
      boolean plain =
          (situation.isBase() && !situation.benchmark().startsWith("shim"))
              || situation.circumstance("keys").equals("zipf");
      List<Row> best = ranking.best(situation);
      if (plain && best.size() >= LEAST_BARS && ranking.isHeadline(situation)) {
        String name = "bars-" + situation.name(true);
        BarChart.draw(
            capital(situation.title()) + device(best),
            best.stream()
                .map(row -> new Bar(label(row, best), row, Ranking.isOurs(row)))
                .sorted(Comparator.comparingDouble(bar -> -bar.row().throughput()))
                .toList(),
            folder,
            name);
        drawn.add(name);
      }
    }
  }

  /** The target of a device that all rows are of. */
  private static String device(List<Row> best) {
    List<String> targets = best.stream().map(Row::target).distinct().toList();
    boolean one = targets.size() == 1 && !List.of("jvm", "cpu").contains(targets.getFirst());
    return one ? ", " + targets.getFirst() : "";
  }

  /** Name and threads of a processor; of a device, its target where there are several. */
  private static String label(Row row, List<Row> beside) {
    String target = row.target();
    if (target.equals("jvm") || target.equals("cpu")) {
      return row.implementation() + " (" + row.threads() + ")";
    }
    boolean one = beside.stream().allMatch(other -> other.target().equals(target));
    return one ? row.implementation() : row.implementation() + ", " + target;
  }

  private void shim() {
    List<Row> shim = rows.stream().filter(row -> row.benchmark().startsWith("shim-")).toList();
    if (shim.size() >= LEAST_BARS) {
      BarChart.drawPairs("A handle beside a raw VarHandle", shim, folder, "shim");
      drawn.add("shim");
    }
  }

  /** Lines over the number of items: the best of each implementation. */
  private void sizes() {
    Map<Situation, List<Row>> groups = new LinkedHashMap<>();
    for (Situation situation : ranking.situations()) {
      if (situation.isBase() && situation.n() > 0) {
        Situation any =
            new Situation(situation.benchmark(), situation.side(), 0, situation.circumstances());
        groups.computeIfAbsent(any, _ -> new ArrayList<>()).addAll(ranking.best(situation));
      }
    }
    groups.forEach(
        (situation, group) ->
            lines("size-" + situation.name(false), situation, "keys", group, row -> row.n()));
  }

  /** Lines over the number of threads, at the number of items where most were measured. */
  private void threads() {
    for (Situation situation : ranking.situations()) {
      boolean processor = situation.side() == Situation.Side.PROCESSOR;
      if (processor && situation.isBase() && ranking.isHeadline(situation)) {
        lines(
            "threads-" + situation.name(true),
            situation,
            "threads",
            ranking.of(situation),
            row -> row.threads());
      }
    }
  }

  private void lines(
      String name, Situation situation, String axis, List<Row> group, ToDoubleFunction<Row> x) {
    Map<String, List<Row>> series = new LinkedHashMap<>();
    for (Row row : group) {
      series.computeIfAbsent(seriesName(row), _ -> new ArrayList<>()).add(row);
    }
    series.replaceAll((_, points) -> bestOfEach(points, x));
    series.values().removeIf(points -> points.size() < 2);
    if (!series.isEmpty()) {
      LineChart.draw(capital(situation.title()), axis, series, x, folder, name);
      drawn.add(name);
    }
  }

  /** The fastest at each place of the axis: programs are measured with more than its parameter. */
  private static List<Row> bestOfEach(List<Row> points, ToDoubleFunction<Row> x) {
    Map<Double, Row> best = new TreeMap<>();
    for (Row row : points) {
      best.merge(x.applyAsDouble(row), row, (a, b) -> a.median() <= b.median() ? a : b);
    }
    return List.copyOf(best.values());
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static String seriesName(Row row) {
    return switch (row.target()) {
      case "jvm", "cpu" -> row.implementation();
      default -> row.implementation() + ", " + row.target();
    };
  }
}
