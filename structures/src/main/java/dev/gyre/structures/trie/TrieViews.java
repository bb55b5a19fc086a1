package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** What is asked of the nodes of a trie; the caller sees to it that they stay. */
final class TrieViews {

  private final TrieNodes nodes;

  TrieViews(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /** How often a word was found. */
  long count(byte[] word) {
    int node = word.length == 0 ? -1 : node(word);
    return node < 0 ? 0 : nodes.count(node);
  }

  /** The node that bytes lead to, or -1. */
  private int node(byte[] path) {
    int node = TrieLayout.ROOT;
    for (int at = 0; at < path.length && node >= 0; at++) {
      node = step(node, path[at]);
    }
    return node;
  }

  private int step(int node, byte next) {
    int letter = nodes.alphabet().letterOf(next & 0xff);
    int child = letter == Alphabet.NO_LETTER ? 0 : nodes.child(node, letter);
    return child == 0 ? -1 : child;
  }

  /** Calls an action for every word that begins with a prefix, in byte order. */
  void forEach(byte[] prefix, Consumer<? super WordCount> action) {
    int from = node(prefix);
    if (from >= 0) {
      TrieWalk walk = new TrieWalk(nodes, folded(prefix), from);
      while (walk.next()) {
        action.accept(walk.wordCount());
      }
    }
  }

  /** The longest word that a text begins with. */
  Optional<WordCount> longestPrefix(byte[] text) {
    int node = TrieLayout.ROOT;
    int longest = 0;
    long count = 0;
    for (int at = 0; at < text.length && node >= 0; at++) {
      node = step(node, text[at]);
      long found = node < 0 ? 0 : nodes.count(node);
      if (found > 0) {
        longest = at + 1;
        count = found;
      }
    }
    if (longest == 0) {
      return Optional.empty();
    }
    byte[] word = folded(Arrays.copyOf(text, longest));
    return Optional.of(new WordCount(new String(word, StandardCharsets.UTF_8), count));
  }

  /** Letters as the trie writes them. */
  private byte[] folded(byte[] letters) {
    byte[] folded = new byte[letters.length];
    for (int i = 0; i < letters.length; i++) {
      folded[i] = nodes.alphabet().byteOf(nodes.alphabet().letterOf(letters[i] & 0xff));
    }
    return folded;
  }

  /** The most frequent words that begin with a prefix. */
  List<WordCount> top(byte[] prefix, int limit) {
    int from = node(prefix);
    if (from < 0 || limit == 0) {
      return List.of();
    }
    PriorityQueue<WordCount> last = new PriorityQueue<>(WordCount.BY_COUNT.reversed());
    TrieWalk walk = new TrieWalk(nodes, folded(prefix), from);
    while (walk.next()) {
      // Words come in byte order: one that is no more frequent than the last stays behind it.
      WordCount least = last.peek();
      if (least == null || last.size() < limit || walk.count() > least.count()) {
        last.add(walk.wordCount());
        if (last.size() > limit) {
          WordCount _ = last.remove();
        }
      }
    }
    return last.stream().sorted(WordCount.BY_COUNT).toList();
  }
}
