package dev.gyre.bench.cli;

import dev.gyre.bench.chart.Panel;
import dev.gyre.bench.chart.Panel.Axis;
import dev.gyre.bench.chart.Panel.Point;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.OutputFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Draws how often words are found against their rank, both by decades: a text that follows Zipf's
 * law gives a straight line.
 */
final class ZipfPlot {

  private static final double WIDTH = 760;
  private static final double HEIGHT = 500;

  /** Points per decade of ranks; a reader could not tell more apart. */
  private static final int POINTS_PER_DECADE = 100;

  private ZipfPlot() {}

  /**
   * Refuses a file whose name does not end in .svg.
   *
   * @throws BadInputException saying so
   */
  static void requireFormat(Path file) {
    if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
      throw new BadInputException(file.toString(), "a plot is written as .svg");
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
    byte[] drawn = draw(counts).getBytes(StandardCharsets.UTF_8);
    return to -> Channels.newOutputStream(to).write(drawn);
  }

  /** Returns what stands above the plot. */
  static String title(int distinct) {
    String words = distinct == 1 ? "word" : "words";
    return String.format(Locale.ROOT, "Words by rank: %,d distinct %s", distinct, words);
  }

  private static String draw(long[] counts) {
    String title = title(counts.length);
    double most = (double) counts[0];
    // Down to a count of 1, or to the last rank.
    double last = Math.max(1, Math.min(counts.length, most));
    Panel panel =
        Panel.of(
                WIDTH,
                HEIGHT,
                title,
                decades("rank (1 is the most frequent word)", counts.length),
                decades("count", most))
            .line("ideal", List.of(new Point(1, most), new Point(last, most / last)))
            .points("fill0", points(counts))
            .note("muted", 0, "dots: words")
            .note("muted", 1, "dashes: Zipf's law, count(1) / rank");
    return panel.svg().file(WIDTH, HEIGHT, title);
  }

  /** Returns an axis from 1 to the power of ten above a number, at least 10. */
  private static Axis decades(String label, double most) {
    double end = Math.pow(10, Math.max(1, Math.floor(Math.log10(most)) + 1));
    List<Double> ticks =
        DoubleStream.iterate(1, tick -> tick <= end, tick -> tick * 10).boxed().toList();
    return new Axis(label, true, 1, end, ticks, Axis::number);
  }

  private static List<Point> points(long[] counts) {
    List<Point> points = new ArrayList<>();
    double next = 1;
    for (int i = 0; i < counts.length; i++) {
      if (i + 1 >= next || i + 1 == counts.length) {
        points.add(new Point(i + 1.0, (double) counts[i]));
        next = (i + 1) * Math.pow(10, 1.0 / POINTS_PER_DECADE);
      }
    }
    return points;
  }
}
