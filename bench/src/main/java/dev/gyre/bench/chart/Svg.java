package dev.gyre.bench.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/**
 * Elements of SVG, whose looks are classes of {@code chart.css}. Coordinates are texts, since some
 * are percentages of the width.
 */
public final class Svg {

  private static final String STYLE = style();

  private final StringBuilder elements = new StringBuilder();

  /** Returns the style of all charts. */
  public static String style() {
    return resource(Svg.class, "chart.css");
  }

  /** Returns a text from the package of a class. */
  public static String resource(Class<?> of, String name) {
    try (InputStream in = of.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing").readAllBytes(), StandardCharsets.UTF_8);
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

  @SuppressWarnings("AnnotateFormatMethod") // Its module has no such annotation.
  private Svg add(String element, Object... values) {
    elements.append(element.formatted(values));
    return this;
  }

  public Svg line(String style, String x1, String y1, String x2, String y2) {
    String line = "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>";
    return add(line, style, x1, y1, x2, y2);
  }

  public Svg circle(String style, String x, String y, double radius) {
    return add("<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>", style, x, y, at(radius));
  }

  public Svg rectangle(String style, String x, String y, String width, String height) {
    String rectangle = "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>";
    return add(rectangle, style, x, y, width, height);
  }

  /** Draws a line through points, whose coordinates alternate. */
  public Svg polyline(String style, double... points) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i + 1 < points.length; i += 2) {
      all.append(at(points[i])).append(',').append(at(points[i + 1])).append(' ');
    }
    return add("<polyline class=\"%s\" points=\"%s\"/>", style, all.toString().strip());
  }

  /** Writes a text, of which {@code start}, {@code middle} or {@code end} is at the place. */
  public Svg text(String style, String anchor, String x, String y, String text) {
    String element = "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>";
    return add(element, style, anchor, x, y, escaped(text));
  }

  /** Puts other elements into a box, to whose width their percentages refer. */
  public Svg box(double x, double y, double width, double height, Svg inner) {
    String box = "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">%s</svg>";
    return add(box, at(x), at(y), at(width), at(height), inner.elements);
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
