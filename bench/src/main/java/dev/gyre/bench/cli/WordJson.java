package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordCount;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a count as one line of JSON. */
final class WordJson {

  private WordJson() {}

  /**
   * An object with the numbers of the last line, and in {@code top} objects with {@code word},
   * {@code count} and {@code share}.
   */
  static String line(WordSummary summary, List<WordCount> top) {
    String words =
        top.stream().map(word -> word(word, summary.words())).collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"words\":%d,\"distinct\":%d,\"nodes\":%d,\"bytes\":%d,\"target\":\"%s\",\"seconds\":%.3f,"
            + "\"top\":[%s]}",
        summary.words(),
        summary.distinct(),
        summary.nodes(),
        summary.bytes(),
        summary.target().label(),
        summary.seconds(),
        words);
  }

  // Words are letters only: nothing in them needs an escape.
  private static String word(WordCount word, long total) {
    return String.format(
        Locale.ROOT,
        "{\"word\":\"%s\",\"count\":%d,\"share\":%.6f}",
        word.word(),
        word.count(),
        (double) word.count() / total);
  }
}
