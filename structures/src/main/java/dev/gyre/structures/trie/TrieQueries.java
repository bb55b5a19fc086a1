package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.TrieLayout;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Queries on the nodes of a trie. The caller ensures that the pool of nodes is not replaced
 * meanwhile.
 */
final class TrieQueries {

  /** Stands for a node that does not exist. */
  static final int NONE = -1;

  /** Largest number of words with one first edge whose probes are measured. */
  private static final int MEASURED = 1 << 11;

  private final TrieNodes nodes;

  TrieQueries(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /** Returns the sum of the counts of all words that begin with a prefix. */
  long total(byte[] prefix, TrieSums sums) {
    return nodes
        .path(prefix)
        .map(this::node)
        .filter(node -> node != NONE)
        .map(sums::below)
        .orElse(0L);
  }

  /** Returns a walk through the words that begin with a prefix; empty if there are none. */
  private Optional<TrieWalk> walk(byte[] prefix) {
    return nodes
        .path(prefix)
        .map(path -> new TrieWalk(nodes, path, node(path), nodes.size()))
        .filter(walk -> walk.from() != NONE);
  }

  /** Returns the node to which edges from the root lead, or NONE. */
  int node(byte[] path) {
    int node = TrieLayout.ROOT;
    for (int at = 0; at < path.length && node != NONE; at++) {
      node = orNone(nodes.pool().child(node, path[at]));
    }
    return node;
  }

  private static int orNone(int child) {
    return child == 0 ? NONE : child;
  }

  /** Returns the word to which edges from the root lead, if it was added. */
  List<WordCount> word(byte[] path) {
    int node = node(path);
    long count = node == NONE ? 0 : nodes.count(node);
    return count == 0 ? List.of() : List.of(new WordCount(nodes.word(path), count));
  }

  /** Returns the words that begin with a prefix, in batches. */
  PrefixCursor sweep(byte[] prefix) {
    return new PrefixCursor(nodes, this, nodes.path(prefix).orElse(null));
  }

  /** Returns how many nodes a search for a word reads, for a sample of the words. */
  LongSummaryStatistics probes() {
    LongSummaryStatistics probes = new LongSummaryStatistics();
    int edges = (1 << nodes.nodeShift()) - Long.BYTES / Integer.BYTES;
    for (int edge = 0; edge < edges; edge++) {
      byte[] first = {(byte) edge};
      int from = node(first);
      if (from != NONE) {
        TrieWalk walk = new TrieWalk(nodes, first, from, nodes.size());
        for (int left = MEASURED; left > 0 && walk.next(); left--) {
          probes.accept(walk.steps() + 1L);
        }
      }
    }
    return probes;
  }

  /** Returns the longest word that is a prefix of a text. */
  Optional<WordCount> longestPrefix(byte[] text) {
    int node = TrieLayout.ROOT;
    int longest = 0;
    long count = 0;
    int at = 0;
    while (at < text.length && node != NONE) {
      long letter = nodes.alphabet().letterAt(text, at);
      node = at == 0 && !Letter.begins(letter) ? NONE : through(node, letter);
      at += Letter.bytes(letter);
      long found = node == NONE ? 0 : nodes.count(node);
      if (found > 0) {
        longest = at;
        count = found;
      }
    }
    long times = count;
    return longest == 0
        ? Optional.empty()
        : Steps.of(nodes.alphabet(), Arrays.copyOf(text, longest))
            .map(steps -> new WordCount(Steps.word(nodes.alphabet(), steps), times));
  }

  /** Returns the node after a letter. */
  private int through(int node, long letter) {
    int rest = Letter.steps(letter);
    int reached = rest == 0 ? NONE : node;
    while (reached != NONE && rest != 0) {
      reached = orNone(nodes.pool().through(reached, Letter.step(rest)));
      rest >>= Letter.STEP_BITS;
    }
    return reached;
  }

  /** Returns the most frequent words that begin with a prefix. */
  List<WordCount> top(byte[] prefix, int limit) {
    if (limit == 0) {
      return List.of();
    }
    Optional<List<WordCount>> all =
        prefix.length == 0 ? TrieTop.of(nodes, limit) : Optional.empty();
    return all.or(() -> walk(prefix).map(walk -> top(walk, limit))).orElse(List.of());
  }

  private static List<WordCount> top(TrieWalk walk, int limit) {
    PriorityQueue<WordCount> last = new PriorityQueue<>(WordCount.BY_COUNT.reversed());
    while (walk.next()) {
      // Words arrive in byte order: a word that is no more frequent than the last one stays after
      // it.
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
