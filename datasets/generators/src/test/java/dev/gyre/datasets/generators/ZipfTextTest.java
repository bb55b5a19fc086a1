package dev.gyre.datasets.generators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class ZipfTextTest {

  private static final ZipfText TEXT = new ZipfText(ZipfText.Shape.DEFAULT);

  private static final long SAMPLE_CRC = 0x54aa0939L;

  @Test
  void theSampleIsTheSameOnEveryMachine() {
    CRC32 crc = new CRC32();
    crc.update(ZipfText.sample());
    assertThat(crc.getValue()).isEqualTo(SAMPLE_CRC);
  }

  @Test
  void aTextOfAnySizeHasWholeWordsOnly() {
    HashSet<String> words = new HashSet<>(TEXT.words());
    for (int count = 0; count < 400; count++) {
      byte[] text = TEXT.bytes(count);
      assertThat(text).hasSize(count);
      assertThat(words).containsAll(counts(text).keySet());
    }
  }

  @Test
  void wordsAreDistinctLowerCaseAndGetLonger() {
    List<String> words = TEXT.words();
    assertThat(words).hasSize(10_000).doesNotHaveDuplicates().allMatch(w -> w.matches("[a-z]+"));
    double first = meanLength(words.subList(0, 50));
    double last = meanLength(words.subList(9_000, 10_000));
    assertThat(first).isBetween(2.0, 4.5);
    assertThat(last).isBetween(7.0, 10.0);
  }

  @Test
  void frequenciesFollowTheLaw() {
    ZipfText.Shape shape = new ZipfText.Shape(7, 1000, 1.0, 2.7, 72);
    ZipfText text = new ZipfText(shape);
    Map<String, Integer> counts = counts(text.bytes(8_000_000));
    double total = counts.values().stream().mapToInt(Integer::intValue).sum();
    double norm = 0;
    for (int rank = 1; rank <= 1000; rank++) {
      norm += 1 / (rank + 2.7);
    }
    List<String> words = text.words();
    for (int rank : new int[] {1, 2, 3, 10, 50, 200}) {
      double expected = total / (rank + 2.7) / norm;
      double found = counts.getOrDefault(words.get(rank - 1), 0);
      // Six standard deviations of a count.
      assertThat(found).as("rank %s", rank).isCloseTo(expected, within(6 * Math.sqrt(expected)));
    }
    assertThat(counts).hasSize(1000);
  }

  @Test
  void linesAndSentencesLookLikeText() {
    String text = new String(TEXT.bytes(100_000), StandardCharsets.US_ASCII);
    List<String> lines = text.lines().toList();
    assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.length() <= 72);
    assertThat(lines).anyMatch(String::isEmpty);
    assertThat(text).matches("(?s)[A-Z].*").endsWith("\n");
    assertThat(text).containsPattern("[.?] [A-Z]").containsPattern("[a-z], [a-z]");
    assertThat(text).doesNotContainPattern("[a-z] [A-Z]");
  }

  @Test
  void anotherSeedGivesAnotherText() {
    ZipfText other = new ZipfText(new ZipfText.Shape(43, 10_000, 1.05, 2.0, 72));
    assertThat(other.bytes(1000)).isNotEqualTo(TEXT.bytes(1000));
  }

  @Test
  void oddShapesWork() {
    assertThat(new ZipfText(new ZipfText.Shape(1, 1, 0, 0, 1)).bytes(1000)).hasSize(1000);
    ZipfText many = new ZipfText(new ZipfText.Shape(1, 200_000, 0, 0, 72));
    assertThat(new HashSet<>(many.words())).hasSize(200_000);
  }

  @Test
  void absurdShapesAreRefused() {
    assertThatThrownBy(() -> new ZipfText.Shape(1, 0, 1, 1, 72))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ZipfText.Shape(1, 10, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ZipfText(new ZipfText.Shape(1, 10, Double.NaN, 1, 72)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double meanLength(List<String> words) {
    return words.stream().mapToInt(String::length).average().orElseThrow();
  }

  private static Map<String, Integer> counts(byte[] text) {
    Map<String, Integer> counts = new HashMap<>();
    String lower = new String(text, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    for (String word : lower.split("[^a-z]+", -1)) {
      if (!word.isEmpty()) {
        counts.merge(word, 1, Integer::sum);
      }
    }
    return counts;
  }
}
