package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntLongMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/guide.md says that structures need. */
class MemoryNeedsTest {

  private static final int CAPACITY = 1 << 12;

  /** For what a table has only once. */
  private static final Offset<Double> LITTLE = Offset.offset(0.1);

  /** For a text and what its workers need. */
  private static final long WORKING = 1 << 20;

  @ParameterizedTest
  @CsvSource({"REFERENCE, 40", "LINE, 64"})
  void aKeyOfLongs(Layout layout, double bytes) {
    try (LongLongMap map = LongLongMap.builder().layout(layout).capacity(CAPACITY).build()) {
      assertThat((double) map.byteSize() / CAPACITY).isCloseTo(bytes, LITTLE);
    }
  }

  @ParameterizedTest
  @CsvSource({"REFERENCE, 24", "PACKED, 16"})
  void aKeyOfInts(Layout layout, double bytes) {
    try (IntIntMap map = IntIntMap.builder().layout(layout).capacity(CAPACITY).build()) {
      assertThat((double) map.byteSize() / CAPACITY).isCloseTo(bytes, LITTLE);
    }
  }

  @Test
  void aKeyOfMixedNumbers() {
    try (IntLongMap ints = IntLongMap.builder().capacity(CAPACITY).build();
        LongIntMap longs = LongIntMap.builder().capacity(CAPACITY).build()) {
      assertThat((double) ints.byteSize() / CAPACITY).isCloseTo(32, LITTLE);
      assertThat((double) longs.byteSize() / CAPACITY).isCloseTo(32, LITTLE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyOfASetInAnyLayout(Layout layout) {
    try (LongSet longs = LongSet.builder().layout(layout).capacity(CAPACITY).build();
        IntSet ints = IntSet.builder().layout(layout).capacity(CAPACITY).build()) {
      assertThat((double) longs.byteSize() / CAPACITY).isCloseTo(16, LITTLE);
      assertThat((double) ints.byteSize() / CAPACITY).isCloseTo(8, LITTLE);
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 64", "24, 88"})
  void aTextKey(int length, double bytes, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("map");
    try (TextLongMap map = TextLongMap.builder().capacity(CAPACITY).build()) {
      for (int i = 0; i < CAPACITY; i++) {
        map.putIfAbsent(("%0" + length + "d").formatted(i), i);
      }
      map.save(file);
    }
    assertThat((double) Files.size(file) / CAPACITY).isCloseTo(bytes, LITTLE);
  }

  @Test
  void aNodeOfATrie() {
    String text = new String(ZipfText.sample(), StandardCharsets.US_ASCII);
    try (WordTrie trie = WordTrie.create()) {
      trie.add(text).trim();
      assertThat(trie.byteSize()).isBetween(128 * trie.nodes(), 2 * 128 * trie.nodes());
      assertThat(128 * trie.nodes() / trie.size()).isBetween(400L, 600L);
    }
  }

  @Test
  void aLetterOfATrie() {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    try (WordTrie trie = WordTrie.create()) {
      assertThat(trie.add(text).nodes()).isEqualTo(text.length() + 1L);
    }
  }

  /** One word, or letters at random: nodes for nearly each of them, room for more, and growth. */
  @ParameterizedTest
  @ValueSource(ints = {20_000, 41_000, 81_000, 100_000})
  void aLetterOfALongWord(int letters) {
    String word = "a".repeat(letters);
    try (WordTrie trie = WordTrie.builder().workers(1).build();
        MemoryLeft _ = MemoryLeft.of(384L * letters + WORKING)) {
      trie.add(word);
      assertThat(trie.nodes()).isEqualTo(letters + 1);
      assertThat(trie.byteSize()).isBetween(128L * letters, 256L * letters + WORKING);
    }
    try (WordTrie trie = WordTrie.builder().workers(1).build();
        MemoryLeft _ = MemoryLeft.of(128L * letters)) {
      assertThatThrownBy(() -> trie.add(word))
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageContaining("gyre.memory.limit");
    }
  }
}
