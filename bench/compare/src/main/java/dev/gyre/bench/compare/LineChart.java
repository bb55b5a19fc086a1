package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.awt.BasicStroke;
import java.awt.Color;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines of throughput over the number of items or of threads. */
final class LineChart {

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS);

  private LineChart() {}

  /**
   * Draws lines.
   *
   * @param axis what x is
   * @param series rows of each line
   */
  static void draw(
      String title,
      String axis,
      Map<String, List<Row>> series,
      ToDoubleFunction<Row> x,
      Path folder,
      String name) {
    List<Row> all = series.values().stream().flatMap(List::stream).toList();
    Scale scale = Scale.of(all);
    XYChart chart =
        new XYChartBuilder()
            .width(Drawing.WIDTH)
            .height(Drawing.HEIGHT)
            .title(title)
            .xAxisTitle(axis)
            .yAxisTitle(scale.label() + " (median)")
            .build();
    Drawing.style(chart.getStyler());
    Drawing.scale(chart.getStyler(), all.stream().map(scale::of).toList());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setXAxisDecimalPattern("#,##0");
    double most = all.stream().mapToDouble(x).max().orElse(1);
    if (axis.equals("keys")) {
      double least = all.stream().mapToDouble(x).min().orElse(1);
      chart.getStyler().setXAxisLogarithmic(true);
      chart.getStyler().setXAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
      chart.getStyler().setXAxisMax(Math.pow(10, Math.ceil(Math.log10(most))));
    } else {
      chart.getStyler().setXAxisMin(0.0);
      chart.getStyler().setXAxisMax(most + 1);
      chart.getStyler().setXAxisMaxLabelCount((int) Math.min(most + 2, 18));
    }
    add(chart, series, x, scale);
    Drawing.save(chart, folder, name);
  }

  private static void add(
      XYChart chart, Map<String, List<Row>> series, ToDoubleFunction<Row> x, Scale scale) {
    int ours = 0;
    int rivals = 0;
    int limits = 0;
    for (Map.Entry<String, List<Row>> entry : series.entrySet()) {
      List<Row> points = entry.getValue().stream().sorted(Comparator.comparingDouble(x)).toList();
      boolean isOurs = Ranking.isOurs(points.getFirst());
      boolean isLimit = Ranking.isLimit(points.getFirst());
      int number = isOurs ? ours++ : isLimit ? limits++ : rivals++;
      List<Color> rest = isLimit ? List.of(Drawing.LIMIT) : Drawing.RIVALS;
      List<Color> colours = isOurs ? Drawing.OURS : rest;
      XYSeries line =
          chart.addSeries(
              entry.getKey(),
              points.stream().mapToDouble(x).toArray(),
              points.stream().mapToDouble(scale::of).toArray());
      Color colour = colours.get(number % colours.size());
      line.setLineColor(colour);
      line.setMarkerColor(colour);
      line.setMarker(MARKERS.get(number % MARKERS.size()));
      line.setLineStyle(new BasicStroke(isOurs ? 3 : 1.6f));
    }
  }
}
