package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The most frequent words of a trie that is large enough for more than a walk. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class TrieTopTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  private static final int WORDS = 20_000;

  private TrieNodes nodes(Alphabet alphabet, SortedMap<String, Long> words) {
    TrieNodes nodes = new TrieNodes(alphabet, size, (1L << 18) * size.edgesPerStep());
    words.forEach(
        (word, count) ->
            assertThat(TrieAdder.addWord(nodes, size.edges(Steps.ofWord(alphabet, word)), count))
                .isTrue());
    return nodes;
  }

  /** Words of one to nine letters, and one that is long. */
  private static SortedMap<String, Long> words(Alphabet alphabet, long mostFrequent) {
    SplittableRandom random = new SplittableRandom(mostFrequent);
    String letters = alphabet == Alphabet.ASCII_LETTERS ? "abcdxyz" : "abzéж語𐐨";
    int[] points = letters.codePoints().toArray();
    SortedMap<String, Long> words = new TreeMap<>(ScriptText.BYTE_ORDER);
    while (words.size() < WORDS) {
      StringBuilder word = new StringBuilder();
      for (int left = random.nextInt(1, 10); left > 0; left--) {
        word.appendCodePoint(points[random.nextInt(points.length)]);
      }
      // Most words are rare, as those of a language are.
      words.put(word.toString(), 1 + (long) (mostFrequent * Math.pow(random.nextDouble(), 8)));
    }
    words.put("ab".repeat(2_000), mostFrequent);
    return words;
  }

  private static List<WordCount> sorted(SortedMap<String, Long> words) {
    return words.entrySet().stream()
        .map(e -> new WordCount(e.getKey(), e.getValue()))
        .sorted(WordCount.BY_COUNT)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void theMostFrequentWordsAreTold(Alphabet alphabet) {
    for (long mostFrequent : new long[] {2, 40, 1_000_000}) {
      SortedMap<String, Long> words = words(alphabet, mostFrequent);
      List<WordCount> sorted = sorted(words);
      try (TrieNodes nodes = nodes(alphabet, words)) {
        for (int limit : new int[] {1, 2, 10, 100, 1024}) {
          TrieTop.of(nodes, limit)
              .ifPresentOrElse(
                  top -> assertThat(top).isEqualTo(sorted.subList(0, limit)),
                  // Nearly all are found as often as the last of them.
                  () -> assertThat(mostFrequent).isEqualTo(2));
        }
        assertThat(TrieTop.of(nodes, 1025)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shortWordsAreMetNearTheRoot(Alphabet alphabet) {
    SortedMap<String, Long> words = words(alphabet, 1_000);
    words.replaceAll((word, count) -> word.length() <= 2 ? 10_000 + count : count);
    List<WordCount> sorted = sorted(words);
    try (TrieNodes nodes = nodes(alphabet, words)) {
      for (int limit : new int[] {1, 5, 32, 33}) {
        assertThat(TrieTop.of(nodes, limit)).hasValue(sorted.subList(0, limit));
      }
    }
  }

  @Test
  void whereTooManyAreAsFrequentAWalkTells() {
    SortedMap<String, Long> words = words(Alphabet.ASCII_LETTERS, 1_000);
    words.replaceAll((_, _) -> 7L);
    try (TrieNodes nodes = nodes(Alphabet.ASCII_LETTERS, words)) {
      assertThat(TrieTop.of(nodes, 3)).isEmpty();
      assertThat(new TrieQueries(nodes).top(new byte[0], 3)).isEqualTo(sorted(words).subList(0, 3));
    }
  }

  @Test
  void aNodeThatNobodyLeadsToIsNotGuessed() {
    SortedMap<String, Long> words = words(Alphabet.ASCII_LETTERS, 1_000);
    try (TrieNodes nodes = nodes(Alphabet.ASCII_LETTERS, words)) {
      String word = sorted(words).getFirst().word();
      byte[] path = size.edges(Steps.ofWord(Alphabet.ASCII_LETTERS, word));
      nodes.edges().set(TrieLayout.edge(TrieLayout.ROOT, nodes.nodeShift(), path[0]), 0);
      assertThat(TrieTop.of(nodes, 1)).isEmpty();
    }
  }

  @Test
  void wordsMayBeAddedMeanwhile() throws Exception {
    SortedMap<String, Long> words = words(Alphabet.ASCII_LETTERS, 1_000_000);
    List<WordCount> sorted = sorted(words);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      words.forEach(trie::addWord);
      AtomicBoolean ended = new AtomicBoolean();
      Thread adder =
          Thread.ofPlatform()
              .start(
                  () -> {
                    SplittableRandom random = new SplittableRandom(3);
                    while (!ended.get()) {
                      String rare = Integer.toString(random.nextInt(1 << 16), 4);
                      trie.addWord("q" + rare.replaceAll("[02]", "q").replaceAll("[13]", "r"), 1);
                    }
                  });
      try {
        for (int round = 0; round < 200; round++) {
          assertThat(trie.top(20)).isEqualTo(sorted.subList(0, 20));
        }
      } finally {
        ended.set(true);
        adder.join();
      }
      List<WordCount> all = new ArrayList<>();
      trie.forEach(all::add);
      all.sort(WordCount.BY_COUNT);
      assertThat(trie.top(500)).isEqualTo(all.subList(0, 500));
    }
  }
}
