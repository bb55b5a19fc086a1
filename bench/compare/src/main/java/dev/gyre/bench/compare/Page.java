package dev.gyre.bench.compare;

import dev.gyre.bench.chart.Svg;
import java.util.List;
import java.util.stream.Stream;

/** The body of a page of HTML, which grows. */
final class Page {

  private final StringBuilder html = new StringBuilder();

  /** Adds elements; texts are escaped where they are put into the format. */
  void add(String format, Object... texts) {
    html.append(format.formatted(Stream.of(texts).map(t -> Svg.escaped(t.toString())).toArray()));
  }

  /** Adds what is HTML already. */
  void addHtml(String elements) {
    html.append(elements);
  }

  void heading(String title, String explanation) {
    add("<h2>%s</h2>\n", title);
    paragraph(explanation);
  }

  void paragraph(String text) {
    add("<p>%s</p>\n", text);
  }

  void list(List<String> lines) {
    add("<ul>\n");
    lines.forEach(line -> add("<li>%s</li>\n", line));
    add("</ul>\n");
  }

  @Override
  public String toString() {
    return html.toString();
  }
}
