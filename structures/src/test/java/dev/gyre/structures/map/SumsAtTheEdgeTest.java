package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Apply#ADD} wraps around, as Java's sums do, by whichever operation values are added. */
@ConformanceSuite
class SumsAtTheEdgeTest {

  private static final long LARGEST = Long.MAX_VALUE;

  static Stream<Kind> kinds() {
    return Kind.all().stream();
  }

  /** Few keys, so that they are inserted in all ways, and many, so that they are put in order. */
  @ParameterizedTest
  @MethodSource("kinds")
  void bulkSumsWrapAround(Kind kind) {
    for (int count : new int[] {1, 1_000, 40_000}) {
      long[] keys = LongStream.range(0, count).toArray();
      long[] ones = new long[count];
      Arrays.fill(ones, 1);
      long[] most = new long[count];
      Arrays.fill(most, ~kind.minValue());
      try (MapAdapter map = kind.build(count < 40_000 ? 1_000 : 1 << 16, false, 0.5, 1)) {
        var _ = map.insert(keys, most, Change.ADD, null, BulkOptions.NONE);
        var _ = map.insert(keys, ones, Change.ADD, null, BulkOptions.NONE);
        assertThat(map.entries().values()).hasSize(count).containsOnly(kind.minValue());
        var _ = map.insert(keys, most, Change.ADD, null, BulkOptions.NONE);
        var _ = map.insert(keys, most, Change.ADD, null, BulkOptions.NONE);
        assertThat(map.entries().values()).containsOnly(~kind.minValue() - 1);
      }
    }
  }

  @Test
  void mergedSumsWrapAround() {
    try (LongLongMap longs = LongLongMap.create();
        IntIntMap ints = IntIntMap.create()) {
      assertThat(longs.merge(1, LARGEST, Apply.ADD)).isEqualTo(LARGEST);
      assertThat(longs.merge(1, 1, Apply.ADD)).isEqualTo(Long.MIN_VALUE);
      assertThat(longs.get(1)).hasValue(Long.MIN_VALUE);
      assertThat(longs.merge(1, -1, Apply.ADD)).isEqualTo(LARGEST);
      assertThat(ints.merge(1, Integer.MAX_VALUE, Apply.ADD)).isEqualTo(Integer.MAX_VALUE);
      assertThat(ints.merge(1, 1, Apply.ADD)).isEqualTo(Integer.MIN_VALUE);
      assertThat(ints.get(1)).hasValue(Integer.MIN_VALUE);
      assertThat(ints.merge(1, -1, Apply.ADD)).isEqualTo(Integer.MAX_VALUE);
    }
  }

  @Test
  void sumsOfTextsWrapAround() {
    List<String> keys = List.of("short", "a key that is long");
    MapBuilder<TextLongMap> builder = TextLongMap.builder().workers(2);
    if (TargetUnderTest.device() != null) {
      builder.launcher(TargetUnderTest.device());
    }
    try (TextLongMap map = builder.build()) {
      var _ = map.insertOrApply(keys, new long[] {LARGEST, LARGEST}, Apply.ADD);
      var _ = map.insertOrApply(keys, new long[] {1, 2}, Apply.ADD);
      assertThat(map.get(keys.getFirst())).hasValue(Long.MIN_VALUE);
      assertThat(map.get(keys.getLast())).hasValue(Long.MIN_VALUE + 1);
      for (String key : keys) {
        assertThat(map.merge(key, -2, Apply.ADD)).isPositive();
      }
    }
  }

  /** Whether a value is added to another in the combiner or in the map. */
  @Test
  void combinedSumsWrapAround() {
    List<String> keys = List.of("short", "of two words", "a key that is longer than that");
    try (TextLongMap map = TextLongMap.create()) {
      for (int round = 0; round < 2; round++) {
        try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
          for (String key : keys) {
            combiner.add(key, LARGEST);
            combiner.add(key, 1);
          }
        }
      }
      assertThat(map.asMap().values()).containsOnly(0L);
      assertThat(Map.copyOf(map.asMap())).containsOnlyKeys(keys);
    }
  }
}
