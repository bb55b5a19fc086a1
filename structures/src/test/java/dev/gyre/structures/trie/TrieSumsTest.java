package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.Others;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class TrieSumsTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  /** Every answer is asked for until it must come from what is kept, and once more after that. */
  private static void requireTotals(WordTrie trie, Map<String, Long> words) {
    for (int round = 0; round < 3; round++) {
      for (String prefix : List.of("", "a", "b", "ab", "abc", "ba", "ca", "cab", "x", "ä", "äb")) {
        long expected =
            words.entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(trie.total(prefix)).as("%s, round %d", prefix, round).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void totalsAreThoseOfTheWordsAfterEveryChange(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(11);
    String letters = alphabet == Alphabet.ASCII_LETTERS ? "abc" : "abcä";
    TreeMap<String, Long> words = new TreeMap<>();
    try (WordTrie trie = WordTrie.builder().nodeSize(size).alphabet(alphabet).build()) {
      for (int change = 0; change < 40; change++) {
        for (int i = 0; i < 1 << random.nextInt(10); i++) {
          StringBuilder word = new StringBuilder();
          for (int at = 1 + random.nextInt(7); at > 0; at--) {
            word.append(letters.charAt(random.nextInt(letters.length())));
          }
          trie.add(word + " ");
          words.merge(word.toString(), 1L, Long::sum);
        }
        requireTotals(trie, words);
      }
      trie.retain(5);
      words.values().removeIf(count -> count < 5);
      requireTotals(trie, words);
      trie.trim();
      requireTotals(trie, words);
      trie.clear();
      requireTotals(trie, new TreeMap<>());
    }
  }

  @Test
  void sumsAreKeptOnceTheyPay() {
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, size, TrieNodes.INITIAL_CAPACITY);
    try {
      TrieLock guard = new TrieLock(nodes);
      TrieSums sums = new TrieSums(nodes, guard);
      byte[] word = size.edges(Steps.ofWord(Alphabet.ASCII_LETTERS, "abc"));
      guard.add(() -> TrieAdder.addWord(nodes, word, 7));
      assertThat(sums.below(0)).isEqualTo(7);
      assertThat(sums.areKept()).as("after one question").isFalse();
      assertThat(sums.below(0)).isEqualTo(7);
      assertThat(sums.areKept()).as("after as many nodes as there are").isTrue();
      assertThat(sums.below(3)).isEqualTo(7);
      guard.add(() -> TrieAdder.addWord(nodes, word, 2));
      assertThat(sums.areKept()).as("after a change").isFalse();
      assertThat(sums.below(0)).isEqualTo(9);
    } finally {
      nodes.close();
    }
  }

  @Test
  void totalsBesideAddingNeverFall() {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      CompletableFuture<Void> adding =
          Others.start(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  trie.add("a" + Integer.toString(i, 26).replaceAll("[0-9]", "z"));
                }
              });
      long last = 0;
      while (!adding.isDone()) {
        long total = trie.total("a");
        assertThat(total).isGreaterThanOrEqualTo(last);
        last = total;
      }
      adding.join();
      assertThat(trie.total("a")).isEqualTo(20_000);
      assertThat(trie.total("")).isEqualTo(trie.total());
    }
  }
}
