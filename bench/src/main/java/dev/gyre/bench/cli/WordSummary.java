package dev.gyre.bench.cli;

import dev.gyre.structures.trie.WordTrie;
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
}
