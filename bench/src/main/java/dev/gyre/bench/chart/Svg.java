package dev.gyre.bench.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Elements of SVG, whose looks are classes of {@code chart.css}. Coordinates are texts, since some
 * are percentages of the width.
 */
public final class Svg {

  private static final String STYLE = style();

  private final StringBuilder elements = new StringBuilder();

  /** Returns the style of all charts. */
  public static String style() {
    try (InputStream in = Svg.class.getResourceAsStream("chart.css")) {
      if (in == null) {
        throw new IllegalStateException("chart.css is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a text as HTML and XML have it. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Returns a coordinate. */
  public static String at(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Returns a share of the width, from 0 to 1, as a coordinate. */
  public static String share(double value) {
    return String.format(Locale.ROOT, "%.2f%%", value * 100);
  }

  public Svg line(String style, String x1, String y1, String x2, String y2) {
    elements.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
            .formatted(style, x1, y1, x2, y2));
    return this;
  }

  public Svg circle(String style, String x, String y, double radius) {
    elements.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>".formatted(style, x, y, at(radius)));
    return this;
  }

  public Svg rectangle(String style, String x, String y, String width, String height) {
    elements.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>"
            .formatted(style, x, y, width, height));
    return this;
  }

  /** Draws a line through points, whose coordinates alternate. */
  public Svg polyline(String style, double... points) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i + 1 < points.length; i += 2) {
      all.append(at(points[i])).append(',').append(at(points[i + 1])).append(' ');
    }
    elements.append(
        "<polyline class=\"%s\" points=\"%s\"/>".formatted(style, all.toString().strip()));
    return this;
  }

  /** Writes a text, of which {@code start}, {@code middle} or {@code end} is at the place. */
  public Svg text(String style, String anchor, String x, String y, String text) {
    elements.append(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(style, anchor, x, y, escaped(text)));
    return this;
  }

  /** Puts other elements into a box, to whose width their percentages refer. */
  public Svg box(double x, double y, double width, double height, Svg inner) {
    elements.append(
        "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">%s</svg>"
            .formatted(at(x), at(y), at(width), at(height), inner.elements));
    return this;
  }

  /** Returns an image for a page that has the style, which becomes as wide as its place. */
  public String inPage(double width, double height, String description) {
    return "<svg role=\"img\" viewBox=\"0 0 %s %s\" aria-label=\"%s\">%s</svg>"
        .formatted(at(width), at(height), escaped(description), elements);
  }

  /** Returns an image for a page whose coordinates across are percentages. */
  public String strip(double height, String description) {
    return "<svg role=\"img\" width=\"100%%\" height=\"%s\" aria-label=\"%s\">%s</svg>"
        .formatted(at(height), escaped(description), elements);
  }

  /** Returns a file, with the style in it. */
  public String file(double width, double height, String description) {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" role="img" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s">
    <title>%3$s</title>
    <style>%4$s</style>
    <rect class="paper" x="0" y="0" width="%1$s" height="%2$s"/>
    %5$s
    </svg>
    """
        .formatted(at(width), at(height), escaped(description), STYLE, elements);
  }
}
