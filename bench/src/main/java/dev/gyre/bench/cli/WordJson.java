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
   *
   * @param utf8 whether letters that are none of ASCII can be printed as they are
   */
  static String line(WordSummary summary, List<WordCount> top, boolean utf8) {
    String words =
        top.stream()
            .map(word -> word(word, summary.words(), utf8))
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"words\":%d,\"distinct\":%d,\"nodes\":%d,\"bytes\":%d,\"target\":\"%s\",\"seconds\":%.3f,"
            + "\"top\":[%s]}",
        summary.words(),
        summary.distinct(),
        summary.nodes(),
        summary.bytes(),
        summary.target(),
        summary.seconds(),
        words);
  }

  // Words are letters only: nothing in them needs an escape, where they can be printed.
  private static String word(WordCount word, long total, boolean utf8) {
    return String.format(
        Locale.ROOT,
        "{\"word\":\"%s\",\"count\":%d,\"share\":%.6f}",
        utf8 ? word.word() : escaped(word.word()),
        word.count(),
        (double) word.count() / total);
  }

  private static String escaped(String word) {
    StringBuilder escaped = new StringBuilder();
    word.chars()
        .forEach(
            c -> {
              if (c < 0x80) {
                escaped.append((char) c);
              } else {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
              }
            });
    return escaped.toString();
  }
}
