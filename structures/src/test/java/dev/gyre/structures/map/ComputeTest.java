package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.LimitedDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of all maps that take a function, and their companions for single keys. */
@Timeout(120)
class ComputeTest {

  private static final int THREADS = 8;

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Runs an action in several threads that begin together. */
  private static void inThreads(IntConsumer action) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  action.accept(thread);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private static OptionalLong plusOne(OptionalLong before) {
    return OptionalLong.of(before.orElse(0) + 1);
  }

  @ParameterizedTest
  @EnumSource
  void computeSetsWhatTheFunctionReturns(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      assertThat(map.compute(1, _ -> OptionalLong.empty())).isEmpty();
      assertThat(map.table().isEmpty()).isTrue();
      assertThat(map.compute(1, ComputeTest::plusOne)).hasValue(1);
      assertThat(map.compute(1, ComputeTest::plusOne)).hasValue(2);
      assertThat(map.get(1)).hasValue(2);
      assertThat(map.table().isEmpty()).isFalse();
      assertThatThrownBy(() -> map.compute(1, _ -> OptionalLong.empty()))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("removed");
      assertThat(map.get(1)).hasValue(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOthersChangeOnlyAbsentOrPresentKeys(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      assertThat(map.computeIfPresent(1, v -> v + 1)).isEmpty();
      assertThat(map.table().size()).isZero();
      assertThat(map.computeIfAbsent(1, k -> k + 10)).isEqualTo(11);
      assertThat(map.computeIfAbsent(1, _ -> 5)).isEqualTo(11);
      assertThat(map.computeIfPresent(1, v -> v + 1)).hasValue(12);
      assertThat(map.get(1)).hasValue(12);
      assertThat(map.increment(1)).isEqualTo(13);
      assertThat(map.increment(2)).isEqualTo(1);
      assertThat(map.getOrDefault(2, 7)).isEqualTo(1);
      assertThat(map.getOrDefault(3, 7)).isEqualTo(7);
      assertThat(map.table().size()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void computeRemovesWhereKeysCanBeRemoved(ComputingMap.Kind kind) throws Exception {
    try (ComputingMap map = kind.open(builder -> builder.capacity(1).removable())) {
      assertThat(map.compute(1, ComputeTest::plusOne)).hasValue(1);
      assertThat(map.compute(1, _ -> OptionalLong.empty())).isEmpty();
      assertThat(map.entries()).isEmpty();
      assertThat(map.table().isEmpty()).isTrue();
      LongAdder present = new LongAdder();
      inThreads(
          thread -> {
            for (int i = 0; i < 2_000; i++) {
              OptionalLong now =
                  map.compute(
                      0, before -> before.isPresent() ? OptionalLong.empty() : OptionalLong.of(7));
              present.add(now.isPresent() ? 1 : -1);
              var _ = map.compute(-1, ComputeTest::plusOne);
              // The map is rebuilt meanwhile.
              var _ = map.put(1 + thread, i);
              var _ = map.compute(1 + thread, _ -> OptionalLong.empty());
            }
          });
      assertThat(map.table().size()).isEqualTo(1 + present.sum());
      assertThat(map.get(0).isPresent() ? 1 : 0).isEqualTo(present.intValue());
      assertThat(map.get(-1)).hasValue(2_000 * THREADS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void replaceChangesPresentKeysOnly(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      assertThat(map.replace(1, 2)).isEmpty();
      assertThat(map.replace(1, 2, 3)).isFalse();
      assertThat(map.table().isEmpty()).isTrue();
      var _ = map.put(1, 2);
      assertThat(map.replace(1, 3)).hasValue(2);
      assertThat(map.replace(1, 2, 4)).isFalse();
      assertThat(map.replace(1, 3, 4)).isTrue();
      assertThat(map.get(1)).hasValue(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void putAllSetsAllValues(ComputingMap.Kind kind) {
    Map<Long, Long> entries = new HashMap<>();
    LongStream.range(0, 3_000).forEach(i -> entries.put(i, -i));
    try (ComputingMap map = kind.open()) {
      var _ = map.put(5, 1);
      var _ = map.put(-5, 1);
      map.putAll(entries);
      entries.put(-5L, 1L);
      assertThat(map.entries()).isEqualTo(entries);
      map.putAll(Map.of());
      assertThat(map.table().size()).isEqualTo(3_001);
    }
  }

  @ParameterizedTest
  @EnumSource
  void putAllThrowsIfAMapIsFull(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open(builder -> builder.fixedCapacity(2))) {
      Map<Long, Long> three = Map.of(1L, 1L, 2L, 2L, 3L, 3L);
      assertThatThrownBy(() -> map.putAll(three)).isInstanceOf(MapFullException.class);
      assertThat(map.table().size()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachOfManyIncrementsIsCountedOnce(ComputingMap.Kind kind) throws Exception {
    int each = 2_000;
    AtomicInteger called = new AtomicInteger();
    try (ComputingMap map = kind.open()) {
      inThreads(
          thread -> {
            for (int i = 0; i < each; i++) {
              var _ =
                  map.compute(
                      0,
                      before -> {
                        called.incrementAndGet();
                        return plusOne(before);
                      });
              var _ = map.increment(-1);
              var _ = map.computeIfPresent(-1, v -> v + 1);
              // The map grows meanwhile.
              var _ = map.putIfAbsent(1 + (long) thread * each + i, i);
            }
          });
      assertThat(map.get(0)).hasValue((long) THREADS * each);
      assertThat(map.get(-1)).hasValue(2L * THREADS * each);
      assertThat(map.table().size()).isEqualTo(2L + (long) THREADS * each);
      assertThat(called).hasValueGreaterThanOrEqualTo(THREADS * each);
    }
  }

  @Test
  void eachIncrementOfAViewIsCountedOnce() throws Exception {
    int each = 5_000;
    record Key(long first, long second) {}
    record Sums(long count, double sum) {}
    try (var map = RecordMap.create(Key.class, Sums.class);
        var longs = LongLongMap.create()) {
      ConcurrentMap<Key, Sums> view = map.asMap();
      inThreads(
          _ -> {
            for (int i = 0; i < each; i++) {
              var _ =
                  view.merge(
                      new Key(1, 2),
                      new Sums(1, 0.5),
                      (a, b) -> new Sums(a.count + b.count, a.sum + b.sum));
              var _ = longs.asMap().merge(1L, 1L, Long::sum);
            }
          });
      assertThat(view)
          .isEqualTo(Map.of(new Key(1, 2), new Sums((long) THREADS * each, THREADS * each / 2.0)));
      assertThat(longs.get(1)).hasValue((long) THREADS * each);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneResultIsUsedByAllThreads(ComputingMap.Kind kind) throws Exception {
    int keys = 500;
    List<Set<Long>> results =
        LongStream.range(0, keys).<Set<Long>>mapToObj(_ -> ConcurrentHashMap.newKeySet()).toList();
    try (ComputingMap map = kind.open()) {
      inThreads(
          thread -> {
            for (int key = 0; key < keys; key++) {
              results.get(key).add(map.computeIfAbsent(key, _ -> thread));
            }
          });
      for (int key = 0; key < keys; key++) {
        assertThat(results.get(key)).containsExactly(map.get(key).orElseThrow());
      }
      assertThat(map.table().size()).isEqualTo(keys);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFunctionThatThrowsLeavesTheMapAsItWas(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      for (boolean present : new boolean[] {false, true}) {
        assertThatThrownBy(
                () ->
                    map.compute(
                        1,
                        _ -> {
                          throw new Refused();
                        }))
            .isInstanceOf(Refused.class);
        assertThatThrownBy(
                () ->
                    map.computeIfAbsent(
                        2,
                        _ -> {
                          throw new Refused();
                        }))
            .isInstanceOf(Refused.class);
        assertThat(map.entries()).isEqualTo(present ? Map.of(1L, 1L) : Map.of());
        var _ = map.put(1, 1);
      }
      assertThatThrownBy(
              () ->
                  map.computeIfPresent(
                      1,
                      _ -> {
                        throw new Refused();
                      }))
          .isInstanceOf(Refused.class);
      assertThat(map.get(1)).hasValue(1);
      assertThat(map.compute(2, ComputeTest::plusOne)).hasValue(1);
    }
  }

  private static long fibonacci(ComputingMap map, long n) {
    return n < 2 ? n : map.computeIfAbsent(n, k -> fibonacci(map, k - 1) + fibonacci(map, k - 2));
  }

  @ParameterizedTest
  @EnumSource
  void functionsMayCallTheMap(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open()) {
      assertThat(fibonacci(map, 40)).isEqualTo(102_334_155);
      assertThat(map.table().size()).isEqualTo(39);
      assertThat(
              map.compute(
                  1000,
                  before -> {
                    // The map grows below the function, and is emptied.
                    LongStream.range(0, 2_000).forEach(i -> map.put(-i, i));
                    map.table().clear();
                    return plusOne(before);
                  }))
          .hasValue(1);
      assertThat(map.entries()).isEqualTo(Map.of(1000L, 1L));
    }
  }

  /** No slot is claimed and no lock is held: another thread can insert the key meanwhile. */
  @ParameterizedTest
  @EnumSource
  void aFunctionRunsBeforeItsKeyIsInserted(ComputingMap.Kind kind) throws Exception {
    try (ComputingMap map = kind.open();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      assertThat(
              map.computeIfAbsent(
                  1,
                  _ -> {
                    assertThat(map.get(1)).isEmpty();
                    assertThat(map.table().size()).isZero();
                    assertThat(
                            CompletableFuture.supplyAsync(() -> map.putIfAbsent(1, 5), other)
                                .join())
                        .isEmpty();
                    return 7;
                  }))
          .isEqualTo(5);
      List<OptionalLong> seen = new ArrayList<>();
      assertThat(
              map.compute(
                  2,
                  before -> {
                    seen.add(before);
                    if (seen.size() == 1) {
                      assertThat(map.put(2, 20)).isEmpty();
                    }
                    return OptionalLong.of(before.orElse(0) + 1);
                  }))
          .hasValue(21);
      assertThat(seen).containsExactly(OptionalLong.empty(), OptionalLong.of(20));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFullMapThrowsAndStaysAsItWas(ComputingMap.Kind kind) {
    try (ComputingMap map = kind.open(builder -> builder.fixedCapacity(1))) {
      var _ = map.put(1, 1);
      assertThatThrownBy(() -> map.compute(2, ComputeTest::plusOne))
          .isInstanceOf(MapFullException.class);
      assertThatThrownBy(() -> map.computeIfAbsent(2, k -> k)).isInstanceOf(MapFullException.class);
      assertThatThrownBy(() -> map.increment(2)).isInstanceOf(MapFullException.class);
      assertThat(map.compute(1, ComputeTest::plusOne)).hasValue(2);
      assertThat(map.entries()).isEqualTo(Map.of(1L, 2L));
    }
  }

  /** A bulk insert counts what does not fit; with the option it throws, as put does. */
  @ParameterizedTest
  @EnumSource
  void aBulkInsertIntoAFullMapCountsOrThrows(ComputingMap.Kind kind) {
    long[] keys = LongStream.range(0, 3_000).toArray();
    for (int capacity : new int[] {1, 2_000}) {
      try (ComputingMap map =
          kind.open(builder -> builder.fixedCapacity(capacity).textBytes(1 << 20))) {
        InsertCounts counts = new InsertCounts(capacity, 0, keys.length - capacity);
        assertThat(map.insert(keys, BulkOptions.NONE)).isEqualTo(counts);
        assertThatThrownBy(() -> map.put(-1, 1)).isInstanceOf(MapFullException.class);
        map.table().clear();
        byte[] outcomes = new byte[keys.length];
        assertThatThrownBy(
                () -> map.insert(keys, BulkOptions.NONE.throwIfFull().outcomes(outcomes)))
            .isInstanceOfSatisfying(
                MapFullException.class,
                full -> assertThat(full.soFar(InsertCounts.class)).hasValue(counts))
            .hasMessageContaining("fixed capacity of " + capacity)
            .hasMessageContaining("%d full".formatted(keys.length - capacity));
        assertThat(map.table().size()).isEqualTo(capacity);
        int inserted = 0;
        for (byte outcome : outcomes) {
          inserted += Outcome.of(outcome) == Outcome.INSERTED ? 1 : 0;
        }
        assertThat(inserted).isEqualTo(capacity);
        long[] some = map.keys().limit(1).toArray();
        assertThat(map.insert(some, BulkOptions.NONE.throwIfFull()))
            .isEqualTo(new InsertCounts(0, 1, 0));
      }
    }
  }

  /** What needs the host's atomics, or walks, is refused at once; the rest works. */
  @ParameterizedTest
  @EnumSource
  void aTableOnADeviceRefusesWhatItCannotDo(ComputingMap.Kind kind) {
    boolean numbers = !kind.name().contains("RECORDS");
    try (LimitedDevice device = new LimitedDevice(1 << 26);
        ComputingMap map = kind.open(builder -> builder.launcher(device))) {
      assertThat(map.table().isEmpty()).isTrue();
      assertThat(map.computeIfAbsent(1, k -> k + 10)).isEqualTo(11);
      assertThat(map.computeIfAbsent(1, k -> k)).isEqualTo(11);
      assertThat(map.getOrDefault(1, 5)).isEqualTo(11);
      assertThat(map.getOrDefault(2, 5)).isEqualTo(5);
      if (numbers) {
        assertThat(map.increment(1)).isEqualTo(12);
        map.putAll(Map.of(1L, 11L));
      }
      AtomicInteger called = new AtomicInteger();
      for (ThrowingCallable refused :
          List.<ThrowingCallable>of(
              () ->
                  map.compute(
                      2,
                      _ -> {
                        called.incrementAndGet();
                        return OptionalLong.of(1);
                      }),
              () -> map.computeIfPresent(1, v -> called.incrementAndGet()),
              () -> map.replace(1, 2),
              () -> map.replace(2, 2),
              () -> map.replace(1, 11, 2),
              map::keys,
              map::values,
              map::entries)) {
        assertThatThrownBy(refused)
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("its table is on a device");
      }
      assertThat(called).hasValue(0);
      assertThat(map.get(1)).hasValue(11);
      assertThat(map.table().toString()).matches("\\w+Map\\[1 keys]");
    }
  }

  @Test
  void aSetThrowsIfItIsFullAndTheOptionsSaySo() {
    BulkOptions options = BulkOptions.NONE.throwIfFull();
    try (LongSet longs = LongSet.builder().fixedCapacity(2).build();
        TextSet texts = TextSet.builder().fixedCapacity(2).build();
        TextKeys keys = TextKeys.of(List.of("a", "b", "c"))) {
      assertThatThrownBy(
              () ->
                  longs.addAll(Longs.of(1, 2, 3), options.where(new boolean[] {true, true, true})))
          .isInstanceOf(MapFullException.class);
      assertThatThrownBy(() -> texts.addAll(keys, options)).isInstanceOf(MapFullException.class);
      assertThat(longs.size()).isEqualTo(2);
      assertThat(texts.size()).isEqualTo(2);
    }
  }
}
