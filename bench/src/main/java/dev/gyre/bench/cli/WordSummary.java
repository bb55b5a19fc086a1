package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordCount;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;
import java.util.Locale;

/**
 * The numbers of a word count.
 *
 * @param words words, each as often as it was found
 * @param distinct distinct words
 * @param nodes nodes of the trie, with the root
 * @param bytes bytes of text that were read
 * @param target where it was counted, as users name it
 * @param seconds how long reading and counting took
 */
public record WordSummary(
    long words, long distinct, long nodes, long bytes, String target, double seconds) {

  /** The numbers of a trie. */
  public static WordSummary of(WordTrie trie, long bytes, String target, double seconds) {
    return new WordSummary(trie.total(), trie.size(), trie.nodes(), bytes, target, seconds);
  }

  /** The last line of the command. */
  String line() {
    return String.format(
        Locale.ROOT,
        "words=%d distinct=%d nodes=%d bytes=%d target=%s seconds=%.3f",
        words,
        distinct,
        nodes,
        bytes,
        target,
        seconds);
  }

  /** The same as an object, with the most frequent words and their share of all. */
  String json(List<WordCount> top) {
    List<?> rows =
        top.stream()
            .map(
                w ->
                    Json.fields(
                        "word", w.word(),
                        "count", w.count(),
                        "share", Json.rounded((double) w.count() / words, 6)))
            .toList();
    return Json.object(
        "words", words,
        "distinct", distinct,
        "nodes", nodes,
        "bytes", bytes,
        "target", target,
        "seconds", Json.rounded(seconds, 3),
        "top", rows);
  }
}
