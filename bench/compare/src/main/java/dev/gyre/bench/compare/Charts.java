package dev.gyre.bench.compare;

import static dev.gyre.bench.chart.Svg.share;

import dev.gyre.bench.chart.Panel;
import dev.gyre.bench.chart.Panel.Axis;
import dev.gyre.bench.chart.Panel.Point;
import dev.gyre.bench.chart.Svg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Charts of a report: full-width charts of rows, and small panels. */
final class Charts {

  private static final double ROW_HEIGHT = 24;
  private static final double DOT = 5.5;

  /** Of the width, that is left free on both sides of an axis of ratios. */
  private static final double MARGIN = 0.05;

  private static final double PANEL_WIDTH = 340;
  private static final double PANEL_HEIGHT = 240;

  /** Styles of series: ours has the first one. */
  private static final int STYLES = 8;

  private static final String OURS = "Gyre";

  private final Page page;

  Charts(Page page) {
    this.page = page;
  }

  /**
   * A ratio with its spread.
   *
   * @param hollow whether no headline is made of it
   */
  record Dot(String label, double ratio, double low, double high, boolean hollow) {
    boolean isSlower() {
      return ratio < Comparison.EVEN;
    }

    String description() {
      return "%s: %s, from %s to %s"
          .formatted(
              label, Comparison.digits(ratio), Comparison.digits(low), Comparison.digits(high));
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
      String svg = ratios.dot(dot).strip(ROW_HEIGHT, dot.description());
      row("", dot.label, svg, Comparison.digits(dot.ratio));
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
        (label, value) -> {
          String digits = String.format(Locale.ROOT, format, value);
          String style = label.startsWith("gyre") ? "fill0" : "fill7";
          String width = share(Math.min(1, value / whole));
          Svg bar = new Svg().line("grid", "100%", "0", "100%", "100%");
          bar.rectangle(style, "0", "20%", width, "60%");
          row("", label, bar.strip(ROW_HEIGHT, label + ": " + digits), digits);
        });
  }

  private void row(String style, String label, String svg, String value) {
    page.add("<div class=\"row %s\"><div class=\"label\">%s</div>", style, label);
    page.addHtml(svg);
    page.add("<div class=\"value\">%s</div></div>\n", value);
  }

  /** Small charts with a line for each implementation, of which Gyre is drawn last. */
  private static final class Panels {
    private final Map<String, Map<String, TreeMap<Double, Double>>> all = new LinkedHashMap<>();

    /** Adds a point; of several at one place, the highest counts. */
    void add(String title, Row row, double x, double y) {
      Map<String, TreeMap<Double, Double>> lines =
          all.computeIfAbsent(title, _ -> new LinkedHashMap<>());
      String name = row.isOurs() ? OURS : row.implementation();
      double _ = lines.computeIfAbsent(name, _ -> new TreeMap<>()).merge(x, y, Math::max);
      TreeMap<Double, Double> ours = lines.remove(OURS);
      if (ours != null) {
        lines.put(OURS, ours);
      }
    }
  }

  /** How a panel is drawn, which depends on the places and heights of all its points. */
  private record Axes(Axis x, Axis y, List<Point> ideal) {}

  private void panels(
      Panels panels,
      String title,
      String explanation,
      BiFunction<List<Double>, List<Double>, Axes> scale) {
    panels.all.values().removeIf(lines -> !lines.containsKey(OURS));
    if (panels.all.isEmpty()) {
      return;
    }
    page.heading(title, explanation);
    Map<String, Integer> styles = new LinkedHashMap<>(Map.of(OURS, 0));
    for (Map<String, ?> lines : panels.all.values()) {
      for (String name : lines.keySet()) {
        int _ = styles.computeIfAbsent(name, _ -> 1 + (styles.size() - 1) % (STYLES - 1));
      }
    }
    page.add("<ul class=\"legend\">");
    styles.forEach(
        (name, style) -> {
          Svg sample = new Svg().line("sample s" + style, "0", "6", "34", "6");
          sample.circle("fill" + style, "17", "6", 3.5);
          page.addHtml("<li>" + sample.inPage(34, 12, "Line of " + name));
          page.add("%s</li>", name);
        });
    page.add("</ul>\n<div class=\"panels\">\n");
    panels.all.forEach((panel, lines) -> page.addHtml(draw(panel, lines, scale, styles) + "\n"));
    page.add("</div>\n");
  }

  private static String draw(
      String title,
      Map<String, ? extends Map<Double, Double>> lines,
      BiFunction<List<Double>, List<Double>, Axes> scale,
      Map<String, Integer> styles) {
    List<Point> all = lines.values().stream().flatMap(line -> points(line).stream()).toList();
    Axes axes =
        scale.apply(
            all.stream().map(Point::x).distinct().sorted().toList(),
            all.stream().map(Point::y).distinct().sorted().toList());
    Panel panel = Panel.of(PANEL_WIDTH, PANEL_HEIGHT, title, axes.x, axes.y);
    if (!axes.ideal.isEmpty()) {
      panel.line("ideal", axes.ideal);
    }
    List<String> texts = new ArrayList<>();
    lines.forEach(
        (name, line) -> {
          int style = styles.getOrDefault(name, 0);
          panel.line("s" + style, points(line)).points("fill" + style, points(line));
          texts.add(
              points(line).stream()
                  .map(p -> Comparison.digits(p.y()) + " at " + axes.x.text().apply(p.x()))
                  .collect(Collectors.joining(", ", name + ": ", "")));
        });
    String units = ", " + axes.y.label() + " by " + axes.x.label() + ". ";
    return panel.inPage(title + units + String.join("; ", texts));
  }

  private static List<Point> points(Map<Double, Double> line) {
    return line.entrySet().stream().map(at -> new Point(at.getKey(), at.getValue())).toList();
  }

  /** Returns rows whose lines are drawn: of processors, and of Gyre its default. */
  private static Stream<Row> drawn(List<Row> rows) {
    return rows.stream()
        .filter(Situation::isComparable)
        .filter(row -> !row.isOurs() || Comparison.isDefault(row))
        .filter(row -> Situation.of(row).isBase())
        .filter(row -> Situation.of(row).side() == Situation.Side.PROCESSOR);
  }

  /** Draws throughput over the number of keys, a panel for each operation. */
  void sizes(List<Row> rows) {
    Panels panels = new Panels();
    drawn(rows)
        .filter(row -> Situation.of(row).n() > 1)
        .forEach(
            row ->
                panels.add(
                    Situation.of(row).family() + ", " + Comparison.threads(row.threads()),
                    row,
                    (double) row.n(),
                    row.n() / row.median() / 1e6));
    panels.all.values().removeIf(of -> of.values().stream().allMatch(line -> line.size() < 2));
    panels(
        panels,
        "Over the number of keys",
        "Million keys a second, both axes logarithmic: higher is faster.",
        (xs, ys) ->
            new Axes(
                new Axis("keys", true, xs.getFirst() / 1.3, xs.getLast() * 1.3, xs, Charts::power),
                Axis.logarithmic("million keys/s", ys.getFirst(), ys.getLast()),
                List.of()));
  }

  private static String power(double n) {
    return n % 1024 != 0
        ? Axis.number(n)
        : n >= 1 << 20 ? Axis.number(n / (1 << 20)) + " Mi" : Axis.number(n / (1 << 10)) + " Ki";
  }

  /** Draws speed over threads, as a multiple of the same with one thread. */
  void scaling(List<Row> rows) {
    Map<String, Long> largest = new LinkedHashMap<>();
    drawn(rows).map(Situation::of).forEach(s -> largest.merge(s.family(), s.n(), Math::max));
    Panels panels = new Panels();
    drawn(rows)
        .filter(
            row -> Situation.of(row).n() == largest.getOrDefault(Situation.of(row).family(), 0L))
        .forEach(
            row -> panels.add(Situation.of(row).title(), row, row.threads(), 1 / row.median()));
    for (Map<String, TreeMap<Double, Double>> lines : panels.all.values()) {
      lines.values().removeIf(line -> line.size() < 2 || !line.containsKey(1.0));
      lines
          .values()
          .forEach(
              line -> {
                double one = line.firstEntry().getValue();
                line.replaceAll((_, speed) -> speed / one);
              });
    }
    panels(
        panels,
        "Over threads",
        "Speed as a multiple of the same implementation with one thread, at the largest number of"
            + " keys; dashed: the ideal.",
        (xs, ys) -> {
          double most = xs.getLast();
          double margin = 0.06 * (most - 1);
          return new Axes(
              new Axis("threads", false, 1 - margin, most + margin, xs, Axis::number),
              Axis.fromZero("times one thread", Math.max(most, ys.getLast())),
              List.of(new Point(1, 1), new Point(most, most)));
        });
  }
}
