package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordCount;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints words and counts as an aligned table, on a terminal with a bar for each count. */
final class WordTable {

  /** A longer word is cut, so that one of a megabyte leaves the table readable. */
  private static final int MAX_WORD = 40;

  /** A shorter bar says nothing, a longer one no more. */
  private static final int MIN_BAR = 8;

  private static final int MAX_BAR = 60;

  /** Eighths of a cell, from one to eight. */
  private static final String EIGHTHS = "▏▎▍▌▋▊▉█";

  private WordTable() {}

  /**
   * Prints a table.
   *
   * @param total number of words of the text, of which each row shows its share
   * @param columns how wide the terminal is; 0 where the reader is none
   * @param blocks whether bars may be drawn with block characters
   */
  static void print(
      PrintWriter out, List<WordCount> rows, long total, int columns, boolean blocks) {
    int wordWidth = "word".length();
    int countWidth = "count".length();
    for (WordCount row : rows) {
      wordWidth = Math.max(wordWidth, Cells.of(shown(row.word())));
      countWidth = Math.max(countWidth, grouped(row.count()).length());
    }
    int bar = Math.min(MAX_BAR, columns - (4 + 2 + wordWidth + 2 + countWidth + 2 + 8 + 2));
    row(out, wordWidth, countWidth, new String[] {"rank", "word", "count", "share"}, "");
    int rank = 1;
    for (WordCount row : rows) {
      String share = String.format(Locale.ROOT, "%.3f %%", 100.0 * row.count() / total);
      String[] cells = {
        Integer.toString(rank), shown(row.word()), grouped(row.count()), share,
      };
      double part = (double) row.count() / rows.getFirst().count();
      row(out, wordWidth, countWidth, cells, bar < MIN_BAR ? "" : "  " + bar(part, bar, blocks));
      rank++;
    }
  }

  private static void row(
      PrintWriter out, int wordWidth, int countWidth, String[] cells, String bar) {
    String padding = " ".repeat(wordWidth - Cells.of(cells[1]));
    String format = "%4s  %s%s  %" + countWidth + "s  %8s%s%n";
    out.printf(Locale.ROOT, format, cells[0], cells[1], padding, cells[2], cells[3], bar);
  }

  /**
   * A bar.
   *
   * @param part how much of it is filled, from 0 to 1
   * @param cells its width
   */
  static String bar(double part, int cells, boolean blocks) {
    if (!blocks) {
      return "#".repeat((int) Math.max(1, Math.round(part * cells)));
    }
    int eighths = (int) Math.max(1, Math.round(part * cells * 8));
    String whole = "█".repeat(eighths / 8);
    return eighths % 8 == 0 ? whole : whole + EIGHTHS.charAt(eighths % 8 - 1);
  }

  private static String shown(String word) {
    return Cells.of(word) <= MAX_WORD ? word : Cells.firstOf(word, MAX_WORD - 3) + "...";
  }

  private static String grouped(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
