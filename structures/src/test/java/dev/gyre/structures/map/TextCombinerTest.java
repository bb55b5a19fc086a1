package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.ScarceMemory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class TextCombinerTest {

  @TempDir private Path folder;

  /** Keys of 0 to 30 bytes, some in the end of zeros. */
  private static String key(SplittableRandom random) {
    int number = random.nextInt(30_000);
    return "k".repeat(number % 20) + number + "\0".repeat(number % 3);
  }

  @ParameterizedTest
  @EnumSource
  void doesWhatTheMapOfTheLibraryDoes(Apply apply) {
    SplittableRandom random = new SplittableRandom(5);
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = TextLongMap.builder().capacity(1).textBytes(1).build()) {
      try (TextCombiner combiner = new TextCombiner(map, apply)) {
        for (int i = 0; i < 200_000; i++) {
          String key = i % 7 == 0 ? "" : key(random);
          long value = random.nextInt(-1_000, 1_000);
          combiner.add(key, value);
          expected.merge(key, value, apply::result);
          if (i == 100_000) {
            InsertCounts counts = combiner.flush();
            assertThat(counts.inserted()).isEqualTo(expected.size());
            assertThat(map.asMap()).isEqualTo(expected);
          }
        }
      }
      assertThat(map.asMap()).isEqualTo(expected);
    }
  }

  /** Keys that drive each other out of the combiner reach the map in their order. */
  @Test
  void theLastValueStaysInAFullMap() {
    List<String> keys = IntStream.range(0, 5_000).mapToObj(i -> "k" + i).toList();
    try (TextLongMap map = TextLongMap.builder().fixedCapacity(keys.size()).build()) {
      keys.forEach(key -> map.put(key, 0));
      InsertCounts counts;
      try (TextCombiner combiner = new TextCombiner(map, Apply.ASSIGN)) {
        for (int round = 1; round <= 3; round++) {
          for (String key : keys) {
            combiner.add(key, round);
          }
          combiner.add("absent " + round, round);
        }
        counts = combiner.flush();
      }
      assertThat(counts.full()).isEqualTo(3);
      assertThat(keys).allMatch(key -> map.get(key).orElse(0) == 3);
    }
  }

  @Test
  void takesBytesOutOfAnyPlace() {
    byte[] text =
        "one three sixteen bytes!! more than sixteen bytes".getBytes(StandardCharsets.UTF_8);
    try (TextLongMap map = TextLongMap.create()) {
      TextCombiner combiner = new TextCombiner(map, Apply.ADD);
      int[][] parts = {{0, 3}, {4, 9}, {10, 25}, {26, 49}, {46, 49}, {49, 49}, {0, 0}};
      for (int[] part : parts) {
        combiner.add(text, part[0], part[1], part[0] + 1);
      }
      combiner.close();
      combiner.close();
      assertThat(map.asMap())
          .isEqualTo(
              Map.of(
                  "one", 1L,
                  "three", 5L,
                  "sixteen bytes!!", 11L,
                  "more than sixteen bytes", 27L,
                  "tes", 47L,
                  "", 51L));
      try (TextCombiner refusing = new TextCombiner(map, Apply.ADD)) {
        assertThatThrownBy(() -> refusing.add(text, 40, 60, 1))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> refusing.add(text, 48, 52, 1))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void whatIsNoPartOfTheBytesIsRefused() {
    int[][] parts = {{-1, 3}, {3, 1}, {0, 5}, {9, 9}, {-2, -2}, {0, 40}};
    try (TextLongMap map = TextLongMap.create();
        TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
      for (int[] part : parts) {
        assertThatThrownBy(() -> combiner.add(new byte[4], part[0], part[1], 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("[%d, %d)".formatted(part[0], part[1]));
      }
      var _ = combiner.flush();
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void threadsShareAMap() {
    try (TextLongMap map = TextLongMap.builder().workers(1).capacity(1).build()) {
      IntStream.range(0, 4)
          .parallel()
          .forEach(
              _ -> {
                try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
                  for (int i = 0; i < 100_000; i++) {
                    combiner.add("key " + i % 20_000, 1);
                  }
                }
              });
      assertThat(map.size()).isEqualTo(20_000);
      map.forEach((key, count) -> assertThat(count).as(key).isEqualTo(20));
    }
  }

  @Test
  void saysWhatThereWasNoRoomFor() {
    try (TextLongMap map = TextLongMap.builder().fixedCapacity(2).build();
        TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
      for (String key : new String[] {"a", "b", "c", "a"}) {
        combiner.add(key, 1);
      }
      assertThat(combiner.flush()).isEqualTo(new InsertCounts(2, 0, 1));
      assertThat(combiner.flush()).isEqualTo(new InsertCounts(0, 0, 0));
    }
  }

  /** Keys of which a batch keeps the first words, and such as are inserted in bulk. */
  @Test
  void saysHowManyKeysWereThere() {
    try (TextLongMap map = TextLongMap.create();
        TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
      for (InsertCounts wanted : List.of(new InsertCounts(5, 0, 0), new InsertCounts(0, 5, 0))) {
        for (int length = 0; length < 50; length += 10) {
          combiner.add("k".repeat(length), 1);
        }
        assertThat(combiner.flush()).isEqualTo(wanted);
      }
    }
  }

  /** Keys that go to the map one by one, and those that go in bulk. */
  @ParameterizedTest
  @ValueSource(strings = {"", "a key with a number: "})
  void nothingIsLostWhereMemoryIsLacking(String prefix) {
    int distinct = 200_000;
    try (TextLongMap map = TextLongMap.create()) {
      TextCombiner combiner = new TextCombiner(map, Apply.ADD);
      int added = 0;
      try (ScarceMemory _ = ScarceMemory.take(folder)) {
        while (added < distinct) {
          combiner.add(prefix + added, 1);
          added++;
        }
      } catch (MemoryExhaustedException e) {
        // The key at hand was not taken.
        assertThat(e.soFar(InsertCounts.class)).contains(new InsertCounts(map.size(), 0, 0));
      }
      assertThat(added).isLessThan(distinct);
      for (int i = added; i < distinct; i++) {
        combiner.add(prefix + i, 1);
      }
      combiner.close();
      assertThat(map.size()).isEqualTo(distinct);
      map.forEach((key, count) -> assertThat(count).as(key).isEqualTo(1));
    }
  }
}
