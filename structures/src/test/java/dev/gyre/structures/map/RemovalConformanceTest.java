package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys are removed from maps and sets of all kinds, on every target. */
@ConformanceSuite
class RemovalConformanceTest {

  /** A type of map with its layout, and how its threads wait. */
  record Kind(TableType<?, ? extends MapAdapter> type, Layout layout, Waiting waiting) {

    static Stream<Kind> all() {
      Stream<Kind> numbers =
          Stream.of(
              new Kind(LongMapAdapter.TYPE, Layout.REFERENCE, Waiting.AUTO),
              new Kind(LongMapAdapter.TYPE, Layout.LINE, Waiting.AUTO),
              new Kind(LongMapAdapter.TYPE, Layout.LINE, Waiting.DEFERRED),
              new Kind(IntMapAdapter.TYPE, Layout.REFERENCE, Waiting.AUTO),
              new Kind(IntMapAdapter.TYPE, Layout.PACKED, Waiting.AUTO),
              new Kind(IntLongMapAdapter.TYPE, Layout.REFERENCE, Waiting.AUTO),
              new Kind(LongIntMapAdapter.TYPE, Layout.REFERENCE, Waiting.AUTO),
              new Kind(TextMapAdapter.TYPE, Layout.LINE, Waiting.AUTO),
              new Kind(TextMapAdapter.TYPE, Layout.LINE, Waiting.DEFERRED));
      Stream<Kind> records =
          RecordNumbers.all().stream()
              .map(some -> new Kind(RecordMapAdapter.type(some), Layout.REFERENCE, Waiting.AUTO));
      return Stream.concat(numbers, records);
    }

    MapAdapter build(Consumer<MapBuilder<?>> settings) {
      return type.build(
          builder -> {
            builder.layout(layout).waiting(waiting).workers(2);
            Launcher device = TargetUnderTest.device();
            if (device != null) {
              builder.launcher(device);
            }
            settings.accept(builder);
          });
    }

    long key(long number) {
      return type.key().applyAsLong(number);
    }
  }

  static Stream<Kind> kinds() {
    return Kind.all();
  }

  static Stream<SetAdapter.Kind> sets() {
    return SetAdapter.Kind.all();
  }

  private static void requireHolds(MapAdapter map, Map<Long, Long> model) {
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(map.entries()).isEqualTo(model);
    assertThat(map.walked()).isEqualTo(model);
    assertThat(map.reservedSlots()).isZero();
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void randomOperationsAgreeWithAModel(Kind kind) {
    for (long seed = 0; seed < 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<Long, Long> model = new HashMap<>();
      try (MapAdapter map = kind.build(builder -> builder.capacity(16).removable())) {
        for (int step = 0; step < 40; step++) {
          long[] keys = random.longs(random.nextInt(1, 400), -300, 300).map(kind::key).toArray();
          step(map, model, keys, random);
          assertThat(map.size()).isEqualTo(model.size());
        }
        requireHolds(map, model);
        try (MapAdapter loaded = map.type().load(map.saved())) {
          requireHolds(loaded, model);
          model.keySet().stream()
              .limit(3)
              .toList()
              .forEach(
                  key -> assertThat(loaded.remove(key)).isEqualTo(optional(model.remove(key))));
          requireHolds(loaded, model);
        }
      }
    }
  }

  private static void step(
      MapAdapter map, Map<Long, Long> model, long[] keys, SplittableRandom random) {
    long[] ones = LongStream.of(keys).map(key -> key * 7 + 1).toArray();
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        InsertCounts counts = map.insert(keys, ones, BulkOptions.NONE);
        long before = model.size();
        for (int i = 0; i < keys.length; i++) {
          model.putIfAbsent(keys[i], ones[i]);
        }
        assertThat(counts.inserted()).isEqualTo(model.size() - before);
      }
      case 2 -> {
        InsertCounts _ = map.insertOrApply(keys, ones, Apply.ADD, BulkOptions.NONE);
        for (int i = 0; i < keys.length; i++) {
          long _ = model.merge(keys[i], ones[i], Long::sum);
        }
      }
      case 3 -> removeAll(map, model, keys);
      case 4 -> removeByKernel(map, model, keys);
      case 5 -> {
        long than = random.nextLong(-2_000, 2_000);
        long before = model.size();
        boolean _ = model.values().removeIf(value -> value > than);
        assertThat(map.removeLarger(than)).isEqualTo(before - model.size());
      }
      case 6 -> {
        for (long key : Arrays.copyOf(keys, Math.min(keys.length, 20))) {
          assertThat(map.remove(key)).isEqualTo(optional(model.remove(key)));
          assertThat(map.get(key)).isEmpty();
          assertThat(map.putIfAbsent(key, 5)).isEmpty();
          assertThat(map.merge(key, 6, Apply.ADD)).isEqualTo(11);
          model.put(key, 11L);
        }
      }
      default -> map.rehash(Math.max(model.size(), random.nextLong(1, 1_000)));
    }
  }

  private static void removeAll(MapAdapter map, Map<Long, Long> model, long[] keys) {
    byte[] outcomes = new byte[keys.length];
    long[] found = new long[keys.length];
    Set<Long> present = new HashSet<>(model.keySet());
    present.retainAll(LongStream.of(keys).boxed().toList());
    assertThat(map.removeAll(keys, found, BulkOptions.NONE.outcomes(outcomes)))
        .isEqualTo(new FindCounts(present.size(), keys.length - present.size()));
    Set<Long> removed = new HashSet<>();
    for (int i = 0; i < keys.length; i++) {
      if (Outcome.of(outcomes[i]) == Outcome.REMOVED) {
        assertThat(removed.add(keys[i])).isTrue();
        assertThat(found[i]).isEqualTo(model.remove(keys[i]));
      } else {
        assertThat(Outcome.of(outcomes[i])).isEqualTo(Outcome.ABSENT);
        assertThat(found[i]).isZero();
      }
    }
    assertThat(removed).isEqualTo(present);
  }

  private static void removeByKernel(MapAdapter map, Map<Long, Long> model, long[] keys) {
    long[] found;
    try (Sources sources = new Sources(TargetUnderTest.device(), Sources.Way.ARRAYS)) {
      found = map.launchRemoval(sources, keys);
    }
    Map<Long, Long> sums = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      long _ = sums.merge(keys[i], found[i], Long::sum);
    }
    sums.forEach(
        (key, sum) -> {
          Long before = model.remove(key);
          assertThat(sum).isEqualTo(before == null ? 0 : before + 1);
        });
  }

  /** A slot of a removed key is not used again: two inserts of a key meet at one slot. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noKeyIsTwiceAfterRemovals(Kind kind) {
    try (MapAdapter map = kind.build(builder -> builder.capacity(4_000).removable())) {
      long[] keys = LongStream.range(0, 1_000).map(kind::key).toArray();
      for (int round = 0; round < 3; round++) {
        long[] odd = LongStream.of(keys).filter(key -> key % 2 != 0).toArray();
        InsertCounts first = map.insert(keys, keys, BulkOptions.NONE);
        assertThat(first.inserted()).isEqualTo(round == 0 ? keys.length : odd.length);
        assertThat(map.insert(keys, keys, BulkOptions.NONE))
            .isEqualTo(new InsertCounts(0, keys.length, 0));
        assertThat(map.removeAll(odd, null, BulkOptions.NONE))
            .isEqualTo(new FindCounts(odd.length, 0));
        assertThat(map.removeAll(odd, null, BulkOptions.NONE))
            .isEqualTo(new FindCounts(0, odd.length));
        assertThat(map.size()).isEqualTo(keys.length - odd.length);
      }
      assertThat(map.entries()).hasSize((int) map.size());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFullMapOfFixedCapacityTakesAKeyForEachRemovedOne(Kind kind) {
    try (MapAdapter map =
        kind.build(builder -> builder.fixedCapacity(64).textBytes(1 << 14).removable())) {
      long[] keys = LongStream.range(0, 64).map(kind::key).toArray();
      assertThat(map.insert(keys, keys, BulkOptions.NONE)).isEqualTo(new InsertCounts(64, 0, 0));
      long added = kind.key(1_000);
      assertThatThrownBy(() -> map.putIfAbsent(added, 1)).isInstanceOf(MapFullException.class);
      long bytes = map.byteSize();
      for (int i = 0; i < 64; i++) {
        long next = kind.key(1_000 + i);
        assertThat(map.remove(keys[i])).hasValue(keys[i]);
        assertThat(map.putIfAbsent(next, i)).isEmpty();
      }
      assertThat(map.removeAll(new long[] {added}, null, BulkOptions.NONE).found()).isOne();
      assertThat(map.insert(keys, keys, BulkOptions.NONE)).isEqualTo(new InsertCounts(1, 0, 63));
      assertThat(map.size()).isEqualTo(64);
      assertThat(map.byteSize()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void keysStayWithoutTheOption(Kind kind) {
    try (MapAdapter map = kind.build(builder -> builder.capacity(4))) {
      OptionalLong _ = map.putIfAbsent(kind.key(1), 1);
      assertThatThrownBy(() -> map.remove(kind.key(1)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("removable()");
      assertThatThrownBy(() -> map.removeAll(new long[] {1}, null, BulkOptions.NONE))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> map.removeLarger(0))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(map.size()).isOne();
    }
  }

  /** A queue: its table stays as it is, however many keys pass through it. */
  @ParameterizedTest
  @MethodSource("kinds")
  void memoryStaysFlat(Kind kind) {
    int live = 500;
    int step = 100;
    try (MapAdapter map = kind.build(builder -> builder.capacity(16).removable())) {
      long bytes = 0;
      for (int i = 0; i < 400; i++) {
        long from = (long) i * step;
        long[] added = LongStream.range(from, from + step).map(kind::key).toArray();
        assertThat(map.insert(added, added, BulkOptions.NONE).inserted()).isEqualTo(step);
        long[] old = LongStream.range(from - live, from - live + step).map(kind::key).toArray();
        assertThat(map.removeAll(old, null, BulkOptions.NONE).found())
            .isEqualTo(from < live ? 0 : step);
        bytes = i == 300 ? map.byteSize() : bytes;
      }
      assertThat(map.size()).isEqualTo(live);
      assertThat(map.byteSize()).isLessThanOrEqualTo(bytes + bytes / 10);
    }
  }

  @ParameterizedTest
  @MethodSource("sets")
  void allNumbersAreKeysOfSets(SetAdapter.Kind kind) {
    long least = kind.least();
    long most = kind == SetAdapter.Kind.LONGS ? Long.MAX_VALUE : Integer.MAX_VALUE;
    long[] keys = {least, least + 1, -1, 0, 1, most - 1, most};
    Set<Long> model = new HashSet<>();
    try (SetAdapter set =
        kind.type()
            .build(
                builder -> {
                  builder.capacity(4).workers(2).removable();
                  Launcher device = TargetUnderTest.device();
                  if (device != null) {
                    builder.launcher(device);
                  }
                })) {
      for (int round = 0; round < 2; round++) {
        for (long key : keys) {
          assertThat(set.remove(key)).isFalse();
          assertThat(set.add(key)).isTrue();
          assertThat(set.add(key)).isFalse();
          assertThat(model.add(key)).isTrue();
          assertThat(set.retrieved()).isEqualTo(model);
        }
        assertThat(set.containsAll(keys, BulkOptions.NONE))
            .isEqualTo(new FindCounts(keys.length, 0));
        try (SetAdapter loaded = kind.type().load(set.saved())) {
          assertThat(loaded.retrieved()).isEqualTo(model);
          assertThat(loaded.removeAll(keys, BulkOptions.NONE))
              .isEqualTo(new FindCounts(keys.length, 0));
        }
        for (long key : keys) {
          assertThat(set.contains(key)).isTrue();
          assertThat(set.remove(key)).isTrue();
          assertThat(set.remove(key)).isFalse();
          assertThat(set.contains(key)).isFalse();
          assertThat(model.remove(key)).isTrue();
          assertThat(set.retrieved()).isEqualTo(model);
        }
        assertThat(set.addAll(keys, BulkOptions.NONE))
            .isEqualTo(new InsertCounts(keys.length, 0, 0));
        assertThat(set.addAll(keys, BulkOptions.NONE))
            .isEqualTo(new InsertCounts(0, keys.length, 0));
        assertThat(set.removeAll(keys, BulkOptions.NONE)).isEqualTo(new FindCounts(keys.length, 0));
        assertThat(set.size()).isZero();
      }
    }
  }

  static Stream<Kind> numbers() {
    return Kind.all().limit(7);
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void allNumbersAreKeysOfMaps(Kind kind) {
    long least = kind.key(Long.MAX_VALUE) < 0 ? Integer.MIN_VALUE : Long.MIN_VALUE;
    long[] keys = {least, least + 1, -1, 0, 1, ~least - 1, ~least};
    long[] values = LongStream.of(keys).map(kind.type.value()).toArray();
    try (MapAdapter map = kind.build(builder -> builder.capacity(4).removable())) {
      for (long value : values) {
        for (long key : keys) {
          assertThat(map.putIfAbsent(key, value)).isEmpty();
          assertThat(map.get(key)).hasValue(value);
        }
        assertThat(map.entries()).hasSize(keys.length);
        for (long key : keys) {
          assertThat(map.remove(key)).hasValue(value);
          assertThat(map.get(key)).isEmpty();
          assertThat(map.remove(key)).isEmpty();
        }
        assertThat(map.entries()).isEmpty();
      }
    }
  }
}
