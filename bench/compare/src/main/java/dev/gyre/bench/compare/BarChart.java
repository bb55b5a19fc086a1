package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.awt.Color;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars of throughput or of time. */
final class BarChart {

  /** Pixels that a letter of a label takes, at most, and those between two labels. */
  private static final int LETTER = 8;

  private static final int GAP = 24;

  private BarChart() {}

  /** Draws the throughput of medians, in the order given. */
  static void draw(String title, List<Bar> bars, Path folder, String name) {
    Scale scale = Scale.of(bars.stream().map(Bar::row).toList());
    List<String> labels = bars.stream().map(Bar::label).toList();
    List<Double> values = bars.stream().map(bar -> scale.of(bar.row())).toList();
    CategoryChart chart = chart(title, scale.label() + " (median)", labels, values);
    if (labels.stream().anyMatch(label -> label.endsWith(")"))) {
      chart.setXAxisTitle("implementation (threads)");
    }
    // A series for each colour; where it has no bar, it has no value.
    chart.getStyler().setOverlapped(true);
    List<Boolean> limits = bars.stream().map(bar -> Ranking.isLimit(bar.row())).toList();
    List<Boolean> ours = bars.stream().map(Bar::ours).toList();
    List<Boolean> others =
        bars.stream().map(bar -> !bar.ours() && !Ranking.isLimit(bar.row())).toList();
    series(chart, "Gyre", labels, only(ours, values), Drawing.OURS.getFirst());
    series(chart, "others", labels, only(others, values), Drawing.RIVALS.getFirst());
    series(chart, "limits", labels, only(limits, values), Drawing.LIMIT);
    Drawing.save(chart, folder, name);
  }

  /** Draws times of handles beside those of raw ones, operation by operation. */
  static void drawPairs(String title, List<Row> rows, Path folder, String name) {
    Map<String, Map<String, Double>> nanos = new LinkedHashMap<>();
    for (Row row : rows) {
      String operation = row.benchmark().substring("shim-".length());
      nanos
          .computeIfAbsent(operation, _ -> new LinkedHashMap<>())
          .put(row.implementation(), row.median() * 1e9);
    }
    nanos.values().removeIf(pair -> pair.size() < 2);
    List<String> labels = List.copyOf(nanos.keySet());
    List<Double> all = nanos.values().stream().flatMap(p -> p.values().stream()).toList();
    CategoryChart chart = chart(title, "nanoseconds per operation (median)", labels, all);
    List<Double> ours =
        nanos.values().stream().map(p -> p.getOrDefault("gyre-handle", 0.0)).toList();
    List<Double> raw = nanos.values().stream().map(p -> p.getOrDefault("VarHandle", 0.0)).toList();
    series(chart, "handle of Gyre", labels, ours, Drawing.OURS.getFirst());
    series(chart, "raw VarHandle", labels, raw, Drawing.RIVALS.getFirst());
    Drawing.save(chart, folder, name);
  }

  private static CategoryChart chart(
      String title, String axis, List<String> labels, List<Double> values) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width(labels))
            .height(Drawing.HEIGHT)
            .title(title)
            .yAxisTitle(axis)
            .build();
    Drawing.style(chart.getStyler());
    Drawing.scale(chart.getStyler(), values);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setAvailableSpaceFill(0.7);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setLabelsPosition(0.94);
    chart.getStyler().setLabelsFont(Drawing.FONT);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    return chart;
  }

  /** No label may reach into the next. */
  private static int width(List<String> labels) {
    int longest = labels.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(Drawing.WIDTH, labels.size() * (longest * LETTER + GAP) + 100);
  }

  private static List<@Nullable Double> only(List<Boolean> which, List<Double> values) {
    List<@Nullable Double> chosen = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      chosen.add(which.get(i) ? values.get(i) : null);
    }
    return chosen;
  }

  private static void series(
      CategoryChart chart,
      String name,
      List<String> labels,
      List<? extends @Nullable Double> values,
      Color colour) {
    if (values.stream().flatMap(Stream::ofNullable).findAny().isPresent()) {
      CategorySeries series = chart.addSeries(name, labels, values);
      var _ = series.setFillColor(colour);
    }
  }
}
