package dev.gyre.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A chart of lines or points between two axes.
 *
 * @param x the axis across
 * @param y the axis upwards
 */
public record Panel(double width, double height, String title, Axis x, Axis y, Svg svg) {

  private static final double LEFT = 46;
  private static final double RIGHT = 14;
  private static final double TOP = 40;
  private static final double BOTTOM = 40;
  private static final double MARKER = 3.5;

  /** From how many decades on a logarithmic axis has a tick for each of them only. */
  private static final double MANY_DECADES = 1.7;

  /** A point, in the units of the axes. */
  public record Point(double x, double y) {}

  /**
   * An axis.
   *
   * @param ticks where there are labels
   */
  public record Axis(
      String label,
      boolean logarithmic,
      double from,
      double to,
      List<Double> ticks,
      DoubleFunction<String> text) {

    /** Returns a logarithmic axis that reaches from a tick to a tick: 1, 2 and 5, or decades. */
    public static Axis logarithmic(String label, double least, double most) {
      boolean decades = Math.log10(most / least) > MANY_DECADES;
      double[] steps = decades ? new double[] {1} : new double[] {1, 2, 5};
      List<Double> ticks = new ArrayList<>();
      double from = Math.pow(10, Math.floor(Math.log10(least)));
      for (double decade = from; decade <= most * 10; decade *= 10) {
        for (double step : steps) {
          double tick = step * decade;
          boolean first = ticks.isEmpty() || tick <= least;
          if (first) {
            ticks.clear();
          }
          if (first || ticks.getLast() < most) {
            ticks.add(tick);
          }
        }
      }
      return new Axis(label, true, ticks.getFirst(), ticks.getLast(), ticks, Axis::number);
    }

    /** Returns an axis from 0 to a value, with at most five steps of 1, 2 or 5. */
    public static Axis fromZero(String label, double most) {
      double step = Math.pow(10, Math.floor(Math.log10(most)) - 1);
      for (double factor : new double[] {2, 2.5, 2}) {
        step = most / step > 5 ? step * factor : step;
      }
      double width = step;
      int count = (int) Math.ceil(most / width - 1e-9);
      List<Double> ticks =
          DoubleStream.iterate(0, at -> at + width).limit(count + 1L).boxed().toList();
      return new Axis(label, false, 0, ticks.getLast(), ticks, Axis::number);
    }

    /** Returns a number for a tick, which has little space. */
    public static String number(double value) {
      if (value >= 10_000) {
        return value >= 1e6 ? number(value / 1e6) + "M" : number(value / 1e3) + "k";
      }
      String digits = String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.3g", value);
      return digits.contains(".") ? digits.replaceAll("\\.?0+$", "") : digits;
    }

    /** Returns where a value is, from 0 to 1. */
    double share(double value) {
      return logarithmic
          ? Math.log(value / from) / Math.log(to / from)
          : (value - from) / (to - from);
    }
  }

  /** Makes a chart with axes and without content. */
  public static Panel of(double width, double height, String title, Axis x, Axis y) {
    Panel panel = new Panel(width, height, title, x, y, new Svg());
    panel.svg.text("title", "start", Svg.at(4), Svg.at(14), title);
    panel.svg.text("tick", "start", Svg.at(4), Svg.at(30), y.label);
    for (double tick : y.ticks) {
      String at = Svg.at(panel.y(tick));
      panel.svg.line("grid", Svg.at(LEFT), at, Svg.at(width - RIGHT), at);
      panel.svg.text(
          "tick", "end", Svg.at(LEFT - 5), Svg.at(panel.y(tick) + 4), y.text.apply(tick));
    }
    double bottom = height - BOTTOM;
    for (double tick : x.ticks) {
      String at = Svg.at(panel.x(tick));
      panel.svg.line("axis", at, Svg.at(bottom), at, Svg.at(bottom + 4));
      panel.svg.text("tick", "middle", at, Svg.at(bottom + 16), x.text.apply(tick));
    }
    panel.svg.line("axis", Svg.at(LEFT), Svg.at(bottom), Svg.at(width - RIGHT), Svg.at(bottom));
    panel.svg.text(
        "tick", "middle", Svg.at((LEFT + width - RIGHT) / 2), Svg.at(height - 6), x.label);
    return panel;
  }

  private double x(double value) {
    return LEFT + x.share(value) * (width - LEFT - RIGHT);
  }

  private double y(double value) {
    return height - BOTTOM - y.share(value) * (height - BOTTOM - TOP);
  }

  /** Draws a line through points. */
  public Panel line(String style, List<Point> points) {
    svg.polyline(
        style, points.stream().flatMapToDouble(p -> DoubleStream.of(x(p.x), y(p.y))).toArray());
    return this;
  }

  /** Draws points. */
  public Panel points(String style, List<Point> points) {
    points.forEach(p -> svg.circle(style, Svg.at(x(p.x)), Svg.at(y(p.y)), MARKER));
    return this;
  }

  /** Writes what a line is, right-aligned, in a line of its own below the title. */
  public Panel note(String style, int line, String text) {
    svg.text(style, "end", Svg.at(width - RIGHT - 4), Svg.at(TOP + 14 + 18.0 * line), text);
    return this;
  }

  /** Returns the chart as an image for a page. */
  public String inPage(String description) {
    return svg.inPage(width, height, description);
  }
}
