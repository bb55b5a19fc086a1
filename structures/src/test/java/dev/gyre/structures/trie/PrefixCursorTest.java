package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All words of a trie that is large enough for several threads. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class PrefixCursorTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  private static final int WORDS = 12_000;

  /** Most words begin alike, so that one part has more of them than are found at a time. */
  private static SortedMap<String, Long> words(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(7);
    String letters = alphabet == Alphabet.ASCII_LETTERS ? "abcdefxyz" : "abczéж語𐐨";
    int[] points = letters.codePoints().toArray();
    SortedMap<String, Long> words = new TreeMap<>(ScriptText.BYTE_ORDER);
    words.put("ab".repeat(5_000), 3L);
    words.put("abc", 2L);
    while (words.size() < WORDS) {
      StringBuilder word = new StringBuilder(random.nextInt(4) == 0 ? "" : "abcabcabcabcabcabcabc");
      for (int left = random.nextInt(1, 8); left > 0; left--) {
        word.appendCodePoint(points[random.nextInt(points.length)]);
      }
      words.put(word.toString(), random.nextLong(1, 1000));
    }
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void allWordsAreMetOnceInByteOrder(Alphabet alphabet) {
    SortedMap<String, Long> words = words(alphabet);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).alphabet(alphabet).workers(2).build()) {
      words.forEach(trie::addWord);
      for (String prefix : List.of("", "a", "ab", "abcabc", "abcabcabcabcabcabcabca", "zz")) {
        List<WordCount> expected = new ArrayList<>();
        words.forEach(
            (word, count) -> {
              if (word.startsWith(prefix)) {
                expected.add(new WordCount(word, count));
              }
            });
        List<WordCount> met = new ArrayList<>();
        trie.forEach(prefix, met::add);
        assertThat(met).as(prefix).isEqualTo(expected);
      }
    }
  }

  /** Nodes get other numbers between two times that words are found. */
  @ParameterizedTest
  @EnumSource
  void wordsThatStayAreMetWhereOthersAreForgotten(Alphabet alphabet) {
    SortedMap<String, Long> words = words(alphabet);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).alphabet(alphabet).workers(2).build()) {
      words.forEach(trie::addWord);
      List<WordCount> met = new ArrayList<>();
      trie.forEach(
          word -> {
            if (met.isEmpty()) {
              WordTrie _ = trie.retain(500);
            }
            met.add(word);
          });
      assertThat(met)
          .isSortedAccordingTo((a, b) -> ScriptText.BYTE_ORDER.compare(a.word(), b.word()));
      assertThat(met).doesNotHaveDuplicates();
      List<WordCount> stayed = new ArrayList<>();
      trie.forEach(stayed::add);
      assertThat(stayed).isNotEmpty();
      assertThat(new HashSet<>(met).containsAll(stayed)).isTrue();
    }
  }
}
