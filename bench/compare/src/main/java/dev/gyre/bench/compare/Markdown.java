package dev.gyre.bench.compare;

import java.util.List;

/** Builds a Markdown document. */
final class Markdown {

  private final StringBuilder text = new StringBuilder();

  /** A heading of a level from 1. */
  void heading(int level, String title) {
    if (!text.isEmpty()) {
      text.append('\n');
    }
    text.append("#".repeat(level)).append(' ').append(title).append("\n\n");
  }

  void line(String line) {
    text.append(line).append('\n');
  }

  /** A row of a table: the first is its head. */
  void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** The head of a table. */
  void head(String... cells) {
    row(List.of(cells));
    text.append("|").append("---|".repeat(cells.length)).append('\n');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
