package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams and spliterators of the views of {@code asMap}, also beside threads that insert. */
@Timeout(120)
class ViewStreamsTest {

  private static final int KEYS = 50_000;

  /** A view of each kind of map. */
  enum Kind {
    LONGS {
      @Override
      void with(Use use) {
        try (LongLongMap map = LongLongMap.create()) {
          use.of(map.asMap(), i -> i, i -> i);
        }
      }
    },
    INTS {
      @Override
      void with(Use use) {
        try (IntIntMap map = IntIntMap.create()) {
          use.of(map.asMap(), i -> (int) i, i -> (int) i);
        }
      }
    },
    INTS_TO_LONGS {
      @Override
      void with(Use use) {
        try (IntLongMap map = IntLongMap.create()) {
          use.of(map.asMap(), i -> (int) i, i -> i);
        }
      }
    },
    LONGS_TO_INTS {
      @Override
      void with(Use use) {
        try (LongIntMap map = LongIntMap.create()) {
          use.of(map.asMap(), i -> i, i -> (int) i);
        }
      }
    },
    TEXTS {
      @Override
      void with(Use use) {
        try (TextLongMap map = TextLongMap.create()) {
          use.of(map.asMap(), i -> "the key " + i, i -> i);
        }
      }
    },
    PACKED_RECORDS {
      @Override
      void with(Use use) {
        try (var map = RecordMap.create(One.class, One.class)) {
          use.of(map.asMap(), One::new, One::new);
        }
      }
    },
    RECORDS {
      @Override
      void with(Use use) {
        try (var map = RecordMap.create(Two.class, Two.class)) {
          use.of(map.asMap(), Two::of, Two::of);
        }
      }
    };

    record One(long number) implements Comparable<One> {
      @Override
      public int compareTo(One other) {
        return Long.compare(number, other.number);
      }
    }

    record Two(long number, int half) implements Comparable<Two> {
      static Two of(long number) {
        return new Two(number, (int) number / 2);
      }

      @Override
      public int compareTo(Two other) {
        return Long.compare(number, other.number);
      }
    }

    abstract void with(Use use);
  }

  /** What a test does with a view. */
  interface Use {
    <K extends Comparable<K>, V extends Comparable<V>> void of(
        ConcurrentMap<K, V> map, LongFunction<K> key, LongFunction<V> value);
  }

  private static List<Collection<?>> views(Map<?, ?> map) {
    return List.of(map.keySet(), map.values(), map.entrySet());
  }

  @ParameterizedTest
  @EnumSource
  void theSizeIsAnEstimateSinceOthersMayInsert(Kind kind) {
    kind.with(
        new Use() {
          @Override
          public <K extends Comparable<K>, V extends Comparable<V>> void of(
              ConcurrentMap<K, V> map, LongFunction<K> key, LongFunction<V> value) {
            LongStream.range(0, KEYS).forEach(i -> map.put(key.apply(i), value.apply(i)));
            for (Collection<?> view : views(map)) {
              Spliterator<?> all = view.spliterator();
              assertThat(all.hasCharacteristics(Spliterator.CONCURRENT)).isTrue();
              assertThat(all.hasCharacteristics(Spliterator.SIZED)).isFalse();
              assertThat(all.hasCharacteristics(Spliterator.SUBSIZED)).isFalse();
              assertThat(all.estimateSize()).isBetween(KEYS / 2L, 2L * KEYS);
            }
          }
        });
  }

  /** Splits as long as that is possible; each element is in one of the parts. */
  @ParameterizedTest
  @EnumSource
  void splitsByRangesOfSlots(Kind kind) {
    kind.with(
        new Use() {
          @Override
          public <K extends Comparable<K>, V extends Comparable<V>> void of(
              ConcurrentMap<K, V> map, LongFunction<K> key, LongFunction<V> value) {
            LongStream.range(0, KEYS).forEach(i -> map.put(key.apply(i), value.apply(i)));
            List<Spliterator<K>> parts = new ArrayList<>();
            Spliterator<K> first = map.keySet().spliterator();
            Set<K> seen = new HashSet<>();
            assertThat(first.tryAdvance(seen::add)).isTrue();
            parts.add(first);
            for (int i = 0; i < parts.size(); i++) {
              Spliterator<K> half = parts.get(i).trySplit();
              while (half != null) {
                parts.add(half);
                half = parts.get(i).trySplit();
              }
            }
            assertThat(parts).hasSizeGreaterThan(8);
            // A key that is inserted does not move others from one part to another.
            LongStream.range(KEYS, 2 * KEYS).forEach(i -> map.put(key.apply(i), value.apply(i)));
            long largest = 0;
            Set<K> twice = new HashSet<>();
            for (Spliterator<K> part : parts) {
              int before = seen.size();
              part.forEachRemaining(k -> twice.addAll(seen.add(k) ? Set.of() : Set.of(k)));
              largest = Math.max(largest, seen.size() - before);
            }
            assertThat(twice).isEmpty();
            assertThat(LongStream.range(0, KEYS).mapToObj(key).allMatch(seen::contains)).isTrue();
            assertThat(largest).isLessThan(KEYS);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void streamsRunBesideInserts(Kind kind) {
    kind.with(
        new Use() {
          @Override
          public <K extends Comparable<K>, V extends Comparable<V>> void of(
              ConcurrentMap<K, V> map, LongFunction<K> key, LongFunction<V> value) {
            int there = 1000;
            LongStream.range(0, there).forEach(i -> map.put(key.apply(i), value.apply(i)));
            Thread writer =
                Thread.ofPlatform()
                    .start(
                        () -> {
                          for (long i = there; i < KEYS; i++) {
                            map.put(key.apply(i), value.apply(i));
                          }
                        });
            boolean beside = true;
            while (beside) {
              beside = writer.isAlive();
              assertThat(map.keySet().stream().toList()).hasSizeGreaterThanOrEqualTo(there);
              assertThat(map.values().stream().sorted().toList())
                  .hasSizeGreaterThanOrEqualTo(there);
              assertThat(map.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList())
                  .hasSizeGreaterThanOrEqualTo(there);
              assertThat(map.keySet().parallelStream().toArray().length)
                  .isGreaterThanOrEqualTo(there);
              assertThat(map.keySet().parallelStream().collect(Collectors.toSet()))
                  .hasSizeGreaterThanOrEqualTo(there);
              assertThat(map.entrySet().parallelStream().count()).isGreaterThanOrEqualTo(there);
              assertThat(Map.copyOf(map)).hasSizeGreaterThanOrEqualTo(there);
            }
            assertThat(map.keySet().parallelStream().distinct().count()).isEqualTo(KEYS);
          }
        });
  }
}
