package dev.gyre.bench.compare;

import static dev.gyre.bench.chart.Svg.share;

import dev.gyre.bench.chart.Panel;
import dev.gyre.bench.chart.Panel.Axis;
import dev.gyre.bench.chart.Panel.Point;
import dev.gyre.bench.chart.Svg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The charts of a report: those of rows as wide as their place, and small panels. */
final class Charts {

  private static final double ROW_HEIGHT = 24;
  private static final double DOT = 5.5;

  /** Of the width, that is left free on both sides of an axis of ratios. */
  private static final double MARGIN = 0.05;

  private static final double PANEL_WIDTH = 340;
  private static final double PANEL_HEIGHT = 240;

  /** Styles of series: ours has the first one. */
  private static final int STYLES = 8;

  private final StringBuilder html;

  Charts(StringBuilder html) {
    this.html = html;
  }

  /**
   * A ratio with its spread.
   *
   * @param hollow whether no headline is made of it
   */
  record Dot(String label, double ratio, double low, double high, boolean hollow) {
    static Dot of(Comparison of) {
      return new Dot(
          "%s, %s: %s".formatted(of.situation().title(), of.threads(), of.rival().implementation()),
          of.speed(),
          of.low(),
          of.high(),
          of.isMarked());
    }

    boolean isSlower() {
      return ratio < 0.995;
    }
  }

  /** An axis of ratios: powers of two around 1. */
  private record Ratios(double from, double to) {
    static Ratios of(List<Dot> dots) {
      double least = dots.stream().mapToDouble(Dot::low).min().orElse(1);
      double most = dots.stream().mapToDouble(Dot::high).max().orElse(1);
      return new Ratios(
          Math.clamp(Math.pow(2, Math.floor(log2(least))), 1.0 / 32, 0.5),
          Math.clamp(Math.pow(2, Math.ceil(log2(most))), 2, 64));
    }

    private static double log2(double value) {
      return Math.log(value) / Math.log(2);
    }

    String at(double ratio) {
      double inside = Math.clamp(ratio, from, to);
      return share(MARGIN + (1 - 2 * MARGIN) * log2(inside / from) / log2(to / from));
    }

    double[] ticks() {
      return DoubleStream.iterate(from, tick -> tick <= to, tick -> tick * 2).toArray();
    }

    Svg grid(Svg svg) {
      for (double tick : ticks()) {
        svg.line(tick == 1 ? "one" : "grid", at(tick), "0", at(tick), "100%");
      }
      return svg;
    }

    Svg scale() {
      Svg svg = new Svg();
      // On a phone, every second label is enough.
      double step = ticks().length > 6 ? 4 : 2;
      for (double tick : ticks()) {
        double steps = log2(tick) / log2(step);
        if (steps == Math.rint(steps)) {
          svg.text("tick", "middle", at(tick), "16", Axis.number(tick));
        }
      }
      return svg;
    }

    Svg dot(Dot dot) {
      String style = dot.isSlower() ? "slower" : "faster";
      return grid(new Svg())
          .line("range " + style, at(dot.low), "50%", at(dot.high), "50%")
          .circle((dot.hollow ? "hollow " : "") + style, at(dot.ratio), "50%", DOT);
    }
  }

  /** Draws ratios as dots, with their spread and a line at 1. */
  void dots(List<Dot> dots) {
    Ratios ratios = Ratios.of(dots);
    row("scale", "", ratios.scale().strip(ROW_HEIGHT, "Axis: times as fast, by powers of 2"), "");
    for (Dot dot : dots) {
      String digits = Comparison.digits(dot.ratio);
      row(
          "",
          dot.label,
          ratios
              .dot(dot)
              .strip(
                  ROW_HEIGHT,
                  "%s: %s, from %s to %s"
                      .formatted(
                          dot.label,
                          digits,
                          Comparison.digits(dot.low),
                          Comparison.digits(dot.high))),
          digits);
    }
  }

  /** Returns ratios as a file: each with its label in a line above. */
  static String dotFile(String title, List<Dot> dots) {
    double width = 820;
    double line = 42;
    double top = 56;
    Ratios ratios = Ratios.of(dots);
    Svg svg = new Svg().text("large", "start", "10", "24", title);
    svg.box(0, 32, width - 60, 22, ratios.scale());
    for (int i = 0; i < dots.size(); i++) {
      Dot dot = dots.get(i);
      double y = top + i * line;
      svg.text("", "start", "10", Svg.at(y + 13), dot.label)
          .box(0, y + 16, width - 60, line - 18, ratios.dot(dot))
          .text("title", "end", Svg.at(width - 10), Svg.at(y + 34), Comparison.digits(dot.ratio));
    }
    return svg.file(width, top + dots.size() * line + 10, title);
  }

  /** Draws a bar from 0 for each row: a share of the longest, or of a whole. */
  void bars(Map<String, Double> values, double whole, String format) {
    values.forEach(
        (label, value) ->
            row(
                "",
                label,
                new Svg()
                    .line("grid", "100%", "0", "100%", "100%")
                    .rectangle(
                        label.startsWith("gyre") ? "fill0" : "fill7",
                        "0",
                        "20%",
                        share(Math.min(1, value / whole)),
                        "60%")
                    .strip(ROW_HEIGHT, label + ": " + String.format(Locale.ROOT, format, value)),
                String.format(Locale.ROOT, format, value)));
  }

  private void row(String style, String label, String svg, String value) {
    html.append(
        """
        <div class="row %s"><div class="label">%s</div>%s<div class="value">%s</div></div>
        """
            .formatted(style, Svg.escaped(label), svg, Svg.escaped(value)));
  }

  /** Gives each implementation a style; ours come first. */
  private Map<String, Integer> styles(List<Row> rows) {
    Map<String, Integer> styles = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !row.isOurs())
        .map(Row::implementation)
        .distinct()
        .forEach(name -> styles.put(name, 1 + styles.size() % (STYLES - 1)));
    html.append("<ul class=\"legend\">");
    legend(0, "Gyre");
    styles.forEach((name, style) -> legend(style, name));
    html.append("</ul>\n<div class=\"panels\">\n");
    return styles;
  }

  private void legend(int style, String name) {
    html.append(
        "<li>%s%s</li>"
            .formatted(
                new Svg()
                    .line("sample s" + style, "0", "6", "34", "6")
                    .circle("fill" + style, "17", "6", 3.5)
                    .inPage(34, 12, "Line of " + name),
                Svg.escaped(name)));
  }

  /** Draws throughput over the number of keys, a panel for each operation. */
  void sizes(List<Row> rows) {
    Map<String, List<Row>> panels = new LinkedHashMap<>();
    for (Row row : rows) {
      Situation situation = Situation.of(row);
      boolean shown =
          situation.n() > 1
              && situation.isBase()
              && !row.isLimit()
              && (!row.isOurs() || Comparison.isDefault(row))
              && situation.side() == Situation.Side.PROCESSOR;
      if (shown) {
        String threads = row.threads() == 1 ? "1 thread" : row.threads() + " threads";
        panels
            .computeIfAbsent(situation.family() + ", " + threads, _ -> new ArrayList<>())
            .add(row);
      }
    }
    panels.values().removeIf(of -> of.stream().map(Row::n).distinct().count() < 2);
    panels.values().removeIf(of -> of.stream().noneMatch(Row::isOurs));
    if (panels.isEmpty()) {
      return;
    }
    heading(
        "Over the number of keys",
        "Million keys a second, both axes logarithmic: higher is faster.");
    Map<String, Integer> styles = styles(panels.values().stream().flatMap(List::stream).toList());
    panels.forEach((title, of) -> html.append(sizes(title, of, styles)).append('\n'));
    html.append("</div>\n");
  }

  private static String sizes(String title, List<Row> rows, Map<String, Integer> styles) {
    List<Double> sizes = rows.stream().map(row -> (double) row.n()).distinct().sorted().toList();
    Axis x =
        Axis.of(
            "keys",
            true,
            sizes.getFirst() / 1.3,
            sizes.getLast() * 1.3,
            sizes,
            n -> n % 1024 == 0 ? power(n) : Axis.number(n));
    double[] rates = rows.stream().mapToDouble(Charts::millions).toArray();
    Axis y =
        Axis.logarithmic(
            "million keys/s",
            DoubleStream.of(rates).min().orElse(1),
            DoubleStream.of(rates).max().orElse(1));
    Panel panel = Panel.of(PANEL_WIDTH, PANEL_HEIGHT, title, x, y);
    series(rows)
        .forEach(
            (name, of) -> {
              int style = styles.getOrDefault(name, 0);
              List<Point> points =
                  of.stream()
                      .sorted(Comparator.comparingLong(Row::n))
                      .map(row -> new Point(row.n(), millions(row)))
                      .toList();
              panel.line("s" + style, points).points("fill" + style, points);
            });
    return panel.inPage(
        title
            + ", million keys a second. "
            + rows.stream()
                .map(
                    row ->
                        "%s at %,d keys: %s"
                            .formatted(
                                row.implementation(), row.n(), Comparison.digits(millions(row))))
                .collect(Collectors.joining("; ")));
  }

  private static double millions(Row row) {
    return row.n() / row.median() / 1e6;
  }

  private static String power(double n) {
    return n >= 1 << 20 ? Axis.number(n / (1 << 20)) + " Mi" : Axis.number(n / (1 << 10)) + " Ki";
  }

  /** Returns rows by implementation; ours, of which there is one layout, is drawn last. */
  private static Map<String, List<Row>> series(List<Row> rows) {
    Map<String, List<Row>> series = new LinkedHashMap<>();
    for (boolean ours : new boolean[] {false, true}) {
      rows.stream()
          .filter(row -> row.isOurs() == ours)
          .forEach(
              row ->
                  series
                      .computeIfAbsent(
                          row.isOurs() ? "Gyre" : row.implementation(), _ -> new ArrayList<>())
                      .add(row));
    }
    return series;
  }

  /** Draws speed over threads, as a multiple of the same with one thread. */
  void scaling(List<Row> rows) {
    Map<Situation, List<Row>> panels = Comparison.bySituation(rows);
    panels
        .values()
        .removeIf(
            of ->
                of.stream().filter(Comparison::isDefault).map(Row::threads).distinct().count() < 2);
    Map<String, Long> largest = new LinkedHashMap<>();
    panels.keySet().forEach(s -> largest.merge(s.family(), s.n(), Math::max));
    panels
        .keySet()
        .removeIf(
            s ->
                s.side() != Situation.Side.PROCESSOR
                    || !s.isBase()
                    || s.n() < largest.getOrDefault(s.family(), 0L));
    if (panels.isEmpty()) {
      return;
    }
    heading(
        "Over threads",
        "Speed as a multiple of the same implementation with one thread, at the largest number of"
            + " keys; dashed: the ideal.");
    Map<String, Integer> styles =
        styles(
            panels.values().stream()
                .flatMap(of -> scalable(of).values().stream().flatMap(List::stream))
                .toList());
    panels.forEach((situation, of) -> html.append(scaling(situation, of, styles)).append('\n'));
    html.append("</div>\n");
  }

  /** Returns rows by implementation: those that were measured with one thread and with more. */
  private static Map<String, List<Row>> scalable(List<Row> rows) {
    Map<String, List<Row>> all =
        series(rows.stream().filter(row -> !row.isOurs() || Comparison.isDefault(row)).toList());
    all.values().removeIf(of -> of.stream().map(Row::threads).distinct().count() < 2);
    all.values().removeIf(of -> of.stream().noneMatch(row -> row.threads() == 1));
    return all;
  }

  private static String scaling(Situation situation, List<Row> rows, Map<String, Integer> styles) {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    scalable(rows)
        .forEach(
            (name, of) -> {
              Map<Integer, Double> times = new TreeMap<>();
              of.forEach(row -> times.merge(row.threads(), row.median(), Math::min));
              double one = times.getOrDefault(1, 1.0);
              lines.put(
                  name,
                  times.entrySet().stream()
                      .map(each -> new Point(each.getKey(), one / each.getValue()))
                      .toList());
            });
    TreeSet<Integer> threads = new TreeSet<>();
    lines.values().forEach(of -> of.forEach(point -> threads.add((int) point.x())));
    int most = threads.last();
    double highest =
        lines.values().stream().flatMap(List::stream).mapToDouble(Point::y).max().orElse(1);
    Panel panel =
        Panel.of(
                PANEL_WIDTH,
                PANEL_HEIGHT,
                situation.title(),
                Axis.of(
                    "threads",
                    false,
                    1 - 0.06 * (most - 1),
                    most + 0.06 * (most - 1),
                    threads.stream().map(Integer::doubleValue).toList(),
                    Axis::number),
                Axis.fromZero("times one thread", Math.max(most, highest)))
            .line("ideal", List.of(new Point(1, 1), new Point(most, most)));
    lines.forEach(
        (name, points) -> {
          int style = styles.getOrDefault(name, 0);
          panel.line("s" + style, points).points("fill" + style, points);
        });
    return panel.inPage(
        situation.title()
            + ", times the speed of one thread. "
            + lines.entrySet().stream()
                .map(
                    line ->
                        "%s: %s with %d threads"
                            .formatted(
                                line.getKey(),
                                Comparison.digits(line.getValue().getLast().y()),
                                (int) line.getValue().getLast().x()))
                .collect(Collectors.joining("; ")));
  }

  private void heading(String title, String explanation) {
    html.append("<h2>%s</h2>\n<p>%s</p>\n".formatted(Svg.escaped(title), Svg.escaped(explanation)));
  }
}
