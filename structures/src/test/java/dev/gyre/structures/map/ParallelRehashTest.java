package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rehash by several workers, each with a range of slots of its own, to tables of the same size,
 * larger and smaller ones; also from a table whose keys are in few and long runs of slots.
 */
class ParallelRehashTest {

  private static final int KEYS = 60_000;
  private static final int WORKERS = 4;

  /** Capacities after each other: by factors that are not whole numbers, and to smaller tables. */
  private static final long[] CAPACITIES = {
    120_000, 120_000, 165_001, 400_003, KEYS + 5, KEYS + 1, 4 * KEYS
  };

  private static long key(int i) {
    return i < 3 ? new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE}[i] : i * 0x9E3779B97F4A7C15L;
  }

  private static int intKey(int i) {
    return i == 0 ? Integer.MIN_VALUE : i * 0x9E3779B9;
  }

  @ParameterizedTest
  @EnumSource(names = {"REFERENCE", "LINE"})
  void allLongsMove(Layout layout) {
    try (LongLongMap map =
        LongLongMap.builder().layout(layout).workers(WORKERS).removable().build()) {
      for (int i = 0; i < KEYS; i++) {
        map.put(key(i), i);
      }
      check(map);
    }
  }

  /** Long runs: a search often goes beyond the range of a worker. */
  @Test
  void keysInLongRunsMove() {
    try (LongLongMap map =
        LongLongMap.builder().loadFactor(0.98).workers(WORKERS).removable().build()) {
      for (int i = 0; i < KEYS; i++) {
        map.put(key(i), i);
      }
      check(map);
    }
  }

  private static void check(LongLongMap map) {
    for (long capacity : CAPACITIES) {
      map.rehash(capacity);
      assertThat(map.size()).isEqualTo(KEYS);
      assertThat(IntStream.range(0, KEYS).filter(i -> map.getOrDefault(key(i), -1) != i)).isEmpty();
      assertThat(map.containsKey(5)).isFalse();
      // The next table has REMOVED slots.
      for (int i = 0; i < KEYS / 50; i++) {
        map.remove(key(i));
        map.put(key(i), i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allIntsMove(boolean removable) {
    MapBuilder<IntIntMap> builder = IntIntMap.builder().workers(WORKERS);
    try (IntIntMap map = (removable ? builder.removable() : builder).build()) {
      for (int i = 0; i < KEYS; i++) {
        map.put(intKey(i), i);
      }
      for (long capacity : CAPACITIES) {
        map.rehash(capacity);
        assertThat(IntStream.range(0, KEYS).filter(i -> map.getOrDefault(intKey(i), -1) != i))
            .isEmpty();
      }
      assertThat(map.size()).isEqualTo(KEYS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allKeysOfSetsMove(boolean removable) {
    MapBuilder<LongSet> builder = LongSet.builder().workers(WORKERS);
    try (LongSet set = (removable ? builder.removable() : builder).build()) {
      for (int i = 0; i < KEYS; i++) {
        set.add(key(i));
      }
      for (long capacity : CAPACITIES) {
        set.rehash(capacity);
        assertThat(IntStream.range(0, KEYS).filter(i -> !set.contains(key(i)))).isEmpty();
        assertThat(set.contains(5)).isFalse();
      }
      assertThat(set.size()).isEqualTo(KEYS);
    }
  }
}
