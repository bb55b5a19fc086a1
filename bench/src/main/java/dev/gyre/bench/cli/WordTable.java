package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordCount;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints words and counts as an aligned table. */
final class WordTable {

  /** A longer word is cut, so that one of a megabyte leaves the table readable. */
  private static final int MAX_WORD = 40;

  private WordTable() {}

  /**
   * Prints a table.
   *
   * @param total number of words of the text, of which each row shows its share
   */
  static void print(PrintWriter out, List<WordCount> rows, long total) {
    int wordWidth = "word".length();
    int countWidth = "count".length();
    for (WordCount row : rows) {
      wordWidth = Math.max(wordWidth, shown(row.word()).length());
      countWidth = Math.max(countWidth, grouped(row.count()).length());
    }
    String format = "%4s  %-" + wordWidth + "s  %" + countWidth + "s  %8s%n";
    out.printf(Locale.ROOT, format, "rank", "word", "count", "share");
    int rank = 1;
    for (WordCount row : rows) {
      String share = String.format(Locale.ROOT, "%.3f %%", 100.0 * row.count() / total);
      out.printf(Locale.ROOT, format, rank, shown(row.word()), grouped(row.count()), share);
      rank++;
    }
  }

  private static String shown(String word) {
    return word.length() <= MAX_WORD ? word : word.substring(0, MAX_WORD - 3) + "...";
  }

  private static String grouped(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
