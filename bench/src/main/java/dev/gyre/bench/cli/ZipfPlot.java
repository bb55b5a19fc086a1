package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.OutputFile;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws how often words are found against their rank, both by decades: a text that follows Zipf's
 * law gives a straight line.
 */
final class ZipfPlot {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 600;

  private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);

  /** Points per decade of ranks; more could not be told apart. */
  private static final int POINTS_PER_DECADE = 100;

  private ZipfPlot() {}

  /**
   * Refuses a file whose name does not say in which format it is to be.
   *
   * @throws BadInputException saying which there are
   */
  static void requireFormat(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(".png")) {
      throw new BadInputException(file.toString(), "a plot is written as .svg or .png");
    }
  }

  /**
   * Draws a plot.
   *
   * @param counts how often each word was found, the most frequent first
   */
  static OutputFile.Content of(long[] counts, OutputFile file) {
    if (counts.length == 0) {
      throw new BadInputException(file.toString(), "there is no word to plot");
    }
    System.setProperty("java.awt.headless", "true");
    boolean vector = file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
    return to -> {
      ByteArrayOutputStream drawn = draw(counts, vector);
      drawn.writeTo(Channels.newOutputStream(to));
    };
  }

  /** Into memory: XChart closes what it writes to. */
  private static ByteArrayOutputStream draw(long[] counts, boolean vector) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      XYChart chart = chart(counts);
      if (vector) {
        VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
      } else {
        BitmapEncoder.saveBitmap(chart, out, BitmapEncoder.BitmapFormat.PNG);
      }
      return out;
    } catch (LinkageError | InternalError e) {
      throw new GyreException(
          "cannot draw: %s; where the JVM finds no fonts, install fontconfig and a font such as DejaVu"
              .formatted(e),
          e);
    }
  }

  /** What stands above the plot. */
  static String title(int distinct) {
    String words = distinct == 1 ? "word" : "words";
    return String.format(Locale.ROOT, "Words by rank: %,d distinct %s", distinct, words);
  }

  private static XYChart chart(long[] counts) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title(counts.length))
            .xAxisTitle("rank (1 is the most frequent word)")
            .yAxisTitle("count")
            .build();
    chart
        .getStyler()
        .setXAxisLogarithmic(true)
        .setYAxisLogarithmic(true)
        .setXAxisMin(1.0)
        .setXAxisMax(decadeAbove(counts.length))
        .setYAxisMin(1.0)
        .setYAxisMax(decadeAbove(counts[0]))
        .setLegendPosition(LegendPosition.InsideNE)
        .setChartBackgroundColor(Color.WHITE);
    chart
        .getStyler()
        .setPlotGridLinesColor(GRID)
        // Solid: a dash of a vector graphic is a shape of its own.
        .setPlotGridLinesStroke(new BasicStroke(0.7f))
        .setAxisTickPadding(8);
    chart.getStyler().setLocale(Locale.ROOT).setDecimalPattern("#,##0");
    addLaw(chart, counts);
    addWords(chart, counts);
    return chart;
  }

  /** The smallest power of ten above a number, at least 10. */
  private static double decadeAbove(long number) {
    double decade = 10;
    while (decade <= number) {
      decade *= 10;
    }
    return decade;
  }

  private static void addLaw(XYChart chart, long[] counts) {
    // Down to a count of 1, or to the last rank.
    double last = Math.max(1, Math.min(counts.length, counts[0]));
    XYSeries law =
        chart.addSeries(
            "Zipf's law: count(1) / rank",
            new double[] {1, last},
            new double[] {counts[0], counts[0] / last});
    law.setMarker(SeriesMarkers.NONE);
    law.setLineColor(Color.GRAY);
    law.setLineStyle(
        new BasicStroke(
            1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {8, 6}, 0));
  }

  private static void addWords(XYChart chart, long[] counts) {
    List<Double> ranks = new ArrayList<>();
    List<Double> found = new ArrayList<>();
    double next = 1;
    for (int i = 0; i < counts.length; i++) {
      if (i + 1 >= next || i + 1 == counts.length) {
        ranks.add(i + 1.0);
        found.add((double) counts[i]);
        next = (i + 1) * Math.pow(10, 1.0 / POINTS_PER_DECADE);
      }
    }
    XYSeries words = chart.addSeries("words", ranks, found);
    words.setMarker(SeriesMarkers.CIRCLE);
    words.setMarkerColor(new Color(0x1f, 0x5f, 0xa8));
    words.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
  }
}
