package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams, cursors and descriptions of maps and sets. */
@Timeout(120)
class EntryStreamsTest {

  private static final int KEYS = 20_000;

  private static Map<Long, Long> expected() {
    return LongStream.range(-KEYS / 2, KEYS / 2)
        .boxed()
        .collect(Collectors.toMap(key -> key, key -> 3 * key));
  }

  @ParameterizedTest
  @EnumSource
  void streamsHaveAllKeysAndValuesOnce(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      map.putAll(expected());
      assertThat(map.entries()).isEqualTo(expected());
      for (boolean parallel : new boolean[] {false, true}) {
        LongStream keys = parallel ? map.keys().parallel() : map.keys();
        LongStream values = parallel ? map.values().parallel() : map.values();
        assertThat(keys.sorted().toArray())
            .isEqualTo(LongStream.range(-KEYS / 2, KEYS / 2).toArray());
        assertThat(values.summaryStatistics())
            .hasToString(
                LongStream.range(-KEYS / 2, KEYS / 2)
                    .map(key -> 3 * key)
                    .summaryStatistics()
                    .toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStreamBesideGrowthHasThePresentKeysOnce(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      LongStream.range(0, 2_000).forEach(key -> map.put(key, key));
      Set<Long> seen = new HashSet<>();
      map.keys()
          .forEach(
              key -> {
                assertThat(seen.add(key)).isTrue();
                if (seen.size() == 100) {
                  LongStream.range(2_000, 30_000).forEach(more -> map.put(more, more));
                }
              });
      assertThat(LongStream.range(0, 2_000).allMatch(seen::contains)).isTrue();
    }
  }

  @Test
  void spliteratorsOfNumbersAreConcurrentAndSplit() {
    try (LongLongMap longs = LongLongMap.create();
        IntIntMap ints = IntIntMap.create();
        IntLongMap intLongs = IntLongMap.create();
        LongIntMap longInts = LongIntMap.create()) {
      long[] keys = LongStream.range(0, KEYS).toArray();
      var _ = longs.insert(keys, keys);
      int[] same = IntStream.range(0, KEYS).toArray();
      var _ = ints.insert(same, same);
      var _ = intLongs.insert(same, keys);
      var _ = longInts.insert(keys, same);
      List<BaseStream<? extends Number, ?>> streams =
          List.of(
              longs.keys(),
              longs.values(),
              ints.keys(),
              ints.values(),
              intLongs.keys(),
              intLongs.values(),
              longInts.keys(),
              longInts.values());
      for (int i = 0; i < streams.size(); i++) {
        assertThat(streams.get(i).isParallel()).isFalse();
        Spliterator<? extends Number> first = streams.get(i).spliterator();
        assertThat(first.hasCharacteristics(Spliterator.CONCURRENT)).isTrue();
        assertThat(first.hasCharacteristics(Spliterator.SIZED)).isFalse();
        assertThat(first.hasCharacteristics(Spliterator.DISTINCT)).isEqualTo(i % 2 == 0);
        assertThat(first.estimateSize()).isBetween(KEYS / 2L, 2L * KEYS);
        Spliterator<? extends Number> second = first.trySplit();
        assertThat(second).isNotNull();
        long[] counts = new long[3];
        first.forEachRemaining(n -> count(counts, 0, n));
        second.forEachRemaining(n -> count(counts, 1, n));
        assertThat(counts[0]).isBetween(KEYS / 3L, 2L * KEYS / 3);
        assertThat(counts[0] + counts[1]).isEqualTo(KEYS);
        assertThat(counts[2]).isEqualTo(LongStream.range(0, KEYS).sum());
        assertThat(first.estimateSize()).isZero();
        assertThat(first.trySplit()).isNull();
      }
    }
  }

  private static void count(long[] counts, int half, Number each) {
    counts[half]++;
    counts[2] += each.longValue();
  }

  @Test
  void aCursorMeetsAllEntriesAndStaysAtItsEnd() {
    try (LongLongMap longs = LongLongMap.create();
        IntIntMap ints = IntIntMap.create()) {
      assertEnded(longs.cursor());
      expected().forEach((key, value) -> assertThat(longs.put(key, value)).isEmpty());
      expected()
          .forEach(
              (key, value) -> assertThat(ints.put(key.intValue(), value.intValue())).isEmpty());
      for (Cursor cursor : List.of(longs.cursor(), ints.cursor())) {
        assertThatThrownBy(cursor::key).isInstanceOf(IndexOutOfBoundsException.class);
        Map<Long, Long> left = expected();
        while (cursor.next()) {
          assertThat(left.remove(cursor.key())).isEqualTo(cursor.value());
        }
        assertThat(left).isEmpty();
        assertEnded(cursor);
      }
    }
  }

  private static void assertEnded(Cursor cursor) {
    for (int i = 0; i < 3; i++) {
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::key).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(cursor::value).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void setsHaveStreamsAndViews() {
    try (LongSet longs = LongSet.create();
        IntSet ints = IntSet.create();
        TextSet texts = TextSet.create()) {
      assertThat(longs.isEmpty()).isTrue();
      Set<Long> boxed = longs.asSet();
      assertThat(boxed.add(7L)).isTrue();
      assertThat(boxed.add(7L)).isFalse();
      assertThat(ints.asSet().addAll(Set.of(-1, 0, 1))).isTrue();
      assertThat(texts.asSet().addAll(List.of("", "whale"))).isTrue();
      assertThat(longs.isEmpty()).isFalse();
      assertThat(longs.stream().toArray()).containsExactly(7);
      assertThat(ints.stream().boxed()).containsExactlyInAnyOrder(-1, 0, 1);
      assertThat(texts.stream()).containsExactlyInAnyOrder("", "whale");
      assertThat(texts.contains("whale")).isTrue();
      assertThat(boxed).isEqualTo(Set.of(7L)).hasSameHashCodeAs(Set.of(7L));
      assertThat(boxed).hasToString("[7]");
      assertThatThrownBy(() -> boxed.remove(7L)).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> boxed.removeIf(key -> key == 7))
          .isInstanceOf(UnsupportedOperationException.class);
      boxed.clear();
      assertThat(longs.size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStructureIsEqualToItselfOnlyAndItsViewToEqualMaps(ComputingMap.Kind kind) {
    try (ComputingMap one = kind.open();
        ComputingMap other = kind.open()) {
      one.putAll(Map.of(1L, 2L));
      other.putAll(Map.of(1L, 2L));
      assertThat(one.table()).isEqualTo(one.table()).isNotEqualTo(other.table());
      assertThat(one.table().hashCode()).isEqualTo(System.identityHashCode(one.table()));
      assertThat(one.view()).isEqualTo(other.view()).hasSameHashCodeAs(other.view());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDescriptionIsShort(ComputingMap.Kind kind) {
    ComputingMap map = kind.open();
    try (map) {
      assertThat(map.table().toString()).matches("\\w+Map\\[0 keys]");
      var _ = map.put(1, 2);
      assertThat(map.table().toString()).matches("\\w+Map\\[1 keys: .*1.*=.*2.*]");
      LongStream.range(0, 5_000).forEach(key -> map.put(key, key));
      assertThat(map.table().toString())
          .matches("\\w+Map\\[5000 keys: .*, \\.\\.\\.]")
          .hasSizeLessThan(800);
    }
    assertThat(map.table().toString()).endsWith("Map[closed]");
  }

  @Test
  void aLongTextIsShortenedInADescription() {
    try (TextSet texts = TextSet.create()) {
      assertThat(texts.add("x".repeat(1_000))).isTrue();
      assertThat(texts).hasToString("TextSet[1 keys: " + "x".repeat(60) + "...]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedMapRefusesStreams(ComputingMap.Kind kind) {
    ComputingMap map = kind.open();
    map.close();
    assertThatThrownBy(() -> map.keys().count()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.values().sum()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::entries).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.computeIfAbsent(1, key -> key))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.table().isEmpty()).isInstanceOf(ClosedException.class);
  }
}
