package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.OutputFile;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;

/** What all charts have in common: their looks, when an axis is logarithmic, and their files. */
final class Drawing {

  static final int WIDTH = 1000;
  static final int HEIGHT = 620;

  /** Colours of ours, the strongest first. */
  static final List<Color> OURS =
      List.of(new Color(0xD55E00), new Color(0xE69F00), new Color(0x8C2D04), new Color(0xF0B27A));

  /** Colours of rivals: told apart by the colour-blind, too. */
  static final List<Color> RIVALS =
      List.of(
          new Color(0x0072B2),
          new Color(0x009E73),
          new Color(0x56B4E9),
          new Color(0x7F7F7F),
          new Color(0xCC79A7),
          new Color(0x000000),
          new Color(0x4B0082),
          new Color(0x9ACD32));

  /** The colour of limits. */
  static final Color LIMIT = new Color(0xBBBBBB);

  /** A ratio that is shown on a logarithmic axis. */
  private static final double WIDE = 10;

  private static final int SIZE = 14;

  /** Of labels. */
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, SIZE - 2);

  private static final Pattern FRACTION = Pattern.compile("([0-9]\\.[0-9])[0-9]+");

  private Drawing() {}

  /** Sets fonts, grids and number formats. */
  static void style(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(new Color(0xE0E0E0));
    // Dashes would make the SVG ten times as large.
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, SIZE + 2));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, SIZE));
    styler.setAxisTickLabelsFont(FONT);
    styler.setLegendFont(FONT);
    styler.setChartTitleBoxVisible(false);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLocale(Locale.ROOT);
    styler.setYAxisDecimalPattern("#,##0.###");
  }

  /** Makes the axis of values begin at 0, or logarithmic where values differ much. */
  static void scale(AxesChartStyler styler, List<Double> values) {
    double least = values.stream().mapToDouble(v -> v).min().orElse(1);
    double most = values.stream().mapToDouble(v -> v).max().orElse(1);
    if (most / least > WIDE) {
      styler.setYAxisLogarithmic(true);
      styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
      styler.setYAxisMax(Math.pow(10, Math.ceil(Math.log10(most))));
    } else {
      styler.setYAxisMin(0.0);
      styler.setYAxisMax(most * 1.15);
    }
  }

  /** Writes a chart as SVG and as PNG. */
  static void save(Chart<?, ?> chart, Path folder, String name) {
    try {
      ByteArrayOutputStream vector = new ByteArrayOutputStream();
      VectorGraphicsEncoder.saveVectorGraphic(chart, vector, VectorGraphicsFormat.SVG);
      // Letters are drawn as curves: a tenth of a pixel is exact enough, and half as long.
      String rounded = FRACTION.matcher(vector.toString(StandardCharsets.UTF_8)).replaceAll("$1");
      RunFile.replace(folder.resolve(name + ".svg"), rounded);
      ByteArrayOutputStream bitmap = new ByteArrayOutputStream();
      BitmapEncoder.saveBitmap(chart, bitmap, BitmapEncoder.BitmapFormat.PNG);
      OutputFile.of(folder.resolve(name + ".png"))
          .write(to -> bitmap.writeTo(Channels.newOutputStream(to)));
    } catch (IOException e) {
      throw new GyreException("cannot write chart " + name + ": " + e.getMessage(), e);
    }
  }
}
