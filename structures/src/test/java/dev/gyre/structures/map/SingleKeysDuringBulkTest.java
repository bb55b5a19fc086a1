package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.Others;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import dev.gyre.structures.map.MapAdapter.Scale;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Single keys are merged between bulk operations of the target, and files written, from wherever
 * the map is: on a device too.
 */
@Timeout(120)
@ConformanceSuite
class SingleKeysDuringBulkTest {

  private static final int ROUNDS = 3;

  @TempDir private Path folder;

  static Stream<Kind> kinds() {
    return Kind.layouts().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void numbersAreMergedBetweenBulkOperationsAndSaved(Kind kind) {
    long[] keys = LongStream.range(-1_500, 1_500).toArray();
    Map<Long, Long> expected = new HashMap<>();
    try (MapAdapter map = kind.build(1, false)) {
      for (int round = 0; round < ROUNDS; round++) {
        var _ = map.insert(keys, keys, Change.ADD, null, BulkOptions.NONE);
        for (long key : keys) {
          expected.merge(key, key, Long::sum);
        }
        // Half of them are there, half are new in the first round.
        for (long key = 1_490; key < 1_510; key++) {
          Apply apply = key % 2 == 0 ? Apply.ADD : Apply.MAX;
          assertThat(map.merge(key, round - 1, apply))
              .isEqualTo(
                  expected.merge(key, round - 1L, apply == Apply.ADD ? Long::sum : Math::max));
        }
        for (long key : new long[] {kind.min(), -1_500, kind.max()}) {
          assertThat(map.merge(key, 7, Scale.BY_ODD))
              .isEqualTo(expected.merge(key, 7L, (a, b) -> kind.wrap(a * (2 * b + 1))));
        }
        var _ = map.insert(keys, keys, Change.MAX, null, BulkOptions.NONE);
        for (long key : keys) {
          expected.merge(key, key, Math::max);
        }
        Path file = folder.resolve("map " + round);
        map.save(file);
        try (MapAdapter loaded = map.load(file)) {
          assertThat(loaded.entries()).isEqualTo(expected);
        }
        long[] found = new long[keys.length];
        assertThat(map.find(keys, found, BulkOptions.NONE).found()).isEqualTo(keys.length);
        for (int i = 0; i < keys.length; i++) {
          assertThat(found[i]).isEqualTo(expected.get(keys[i]));
        }
      }
    }
  }

  /** A single key's update by load and store, or one in a copy of the map, would lose some. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noMergeIsLostBesideBulkAdditions(Kind kind) {
    int merges = 200;
    long[] keys = LongStream.range(0, 1_000).map(i -> i % 10).toArray();
    long[] ones = LongStream.generate(() -> 1).limit(keys.length).toArray();
    try (MapAdapter map = kind.build(1, false)) {
      CompletableFuture<Void> single =
          Others.start(
              () -> {
                for (int i = 0; i < merges; i++) {
                  long _ = map.merge(i % 10, 1, Apply.ADD);
                }
              });
      for (int round = 0; round < 10; round++) {
        var _ = map.insert(keys, ones, Change.ADD, null, BulkOptions.NONE);
      }
      Others.await(single::isDone);
      single.join();
      assertThat(map.entries().values()).hasSize(10).containsOnly(10L * 1_000 / 10 + merges / 10);
    }
  }

  private static MapBuilder<TextLongMap> texts() {
    Launcher device = TargetUnderTest.device();
    return device == null ? TextLongMap.builder() : TextLongMap.builder().launcher(device);
  }

  private static Map<String, Long> entries(TextLongMap map) {
    Map<String, Long> entries = new HashMap<>();
    map.forEach((key, value) -> assertThat(entries.put(key, value)).as(key).isNull());
    return entries;
  }

  @Test
  void textsAreMergedBetweenBulkOperationsAndSaved() {
    List<String> keys = IntStream.range(0, 3_000).mapToObj(i -> "k".repeat(i % 23) + i).toList();
    long[] values = LongStream.range(0, keys.size()).toArray();
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = texts().capacity(1).textBytes(1).build()) {
      for (int round = 0; round < ROUNDS; round++) {
        var _ = map.insertOrApply(keys, values, Apply.ADD);
        for (int i = 0; i < values.length; i++) {
          expected.merge(keys.get(i), values[i], Long::sum);
        }
        for (String key : List.of("k7", keys.get(8), "", keys.getLast(), "new in " + round)) {
          assertThat(map.merge(key, 5, Apply.ADD)).isEqualTo(expected.merge(key, 5L, Long::sum));
        }
        Path file = folder.resolve("texts " + round);
        map.save(file);
        try (TextLongMap loaded = texts().load(file)) {
          assertThat(entries(loaded)).isEqualTo(expected);
          assertThat(loaded.contains(keys).found()).isEqualTo(keys.size());
          assertThat(loaded.merge("k7", 1, Apply.ADD))
              .isEqualTo(expected.getOrDefault("k7", 0L) + 1);
        }
        assertThat(entries(map)).isEqualTo(expected);
      }
    }
  }
}
