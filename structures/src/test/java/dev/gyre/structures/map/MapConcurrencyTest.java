package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bulk operations of several threads on one map, which grows meanwhile. */
@Tag("race")
class MapConcurrencyTest {

  private static final int CALLERS = 3;
  private static final int ROUNDS = 20;
  private static final int BATCH = 3_000;
  private static final int DOMAIN = 40_000;

  private static final int SHORT_ROUNDS = 600;
  private static final int FEW = 256;
  private static final int NARROW = 1_000;

  static Stream<Kind> layouts() {
    return Kind.layouts().stream();
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void sumsAreExactAndFindsSeeWhatWasInserted(Kind kind) throws Exception {
    AtomicLong inserted = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    try (MapAdapter map = kind.build(1, false, 0.7, 1);
        ExecutorService pool = Executors.newFixedThreadPool(CALLERS + 1)) {
      List<Future<Map<Long, Long>>> callers = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        SplittableRandom random = new SplittableRandom(caller);
        callers.add(pool.submit(() -> addAll(map, random, inserted)));
      }
      Future<Boolean> reader = pool.submit(() -> readAll(map, done));
      Map<Long, Long> expected = new HashMap<>();
      try {
        for (var caller : callers) {
          caller.get().forEach((key, sum) -> expected.merge(key, sum, Long::sum));
        }
      } finally {
        // Else the pool would wait for the reader.
        done.set(true);
      }
      assertThat(reader.get()).isTrue();
      assertThat(map.entries()).isEqualTo(expected);
      assertThat(map.size()).isEqualTo(expected.size()).isEqualTo(inserted.get());
      assertThat(map.reservedSlots()).isZero();
    }
  }

  /**
   * Calls on few keys, each as the sole update where no other is there, beside others and beside
   * single keys where there are. If a sole one were let in beside another update, counts would be
   * lost.
   */
  @ParameterizedTest
  @MethodSource("layouts")
  void sumsOfCallsOnFewKeysAreExact(Kind kind) throws Exception {
    AtomicLong inserted = new AtomicLong();
    Map<Long, Long> expected = new HashMap<>();
    try (MapAdapter map = kind.build(1, false, 0.7, 1);
        ExecutorService pool = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<Map<Long, Long>>> callers = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        SplittableRandom random = new SplittableRandom(caller);
        callers.add(pool.submit(() -> addFew(map, random, inserted)));
      }
      for (var caller : callers) {
        caller.get().forEach((key, sum) -> expected.merge(key, sum, Long::sum));
      }
      assertThat(map.entries()).isEqualTo(expected);
      assertThat(map.size()).isEqualTo(expected.size()).isEqualTo(inserted.get());
    }
  }

  private static Map<Long, Long> addFew(
      MapAdapter map, SplittableRandom random, AtomicLong inserted) {
    Map<Long, Long> sums = new HashMap<>();
    for (int round = 0; round < SHORT_ROUNDS; round++) {
      long[] keys = random.longs(random.nextInt(1, FEW), 0, NARROW).toArray();
      long[] values = random.longs(keys.length, 1, 10).toArray();
      inserted.addAndGet(map.insert(keys, values, Change.ADD, null, BulkOptions.NONE).inserted());
      for (int i = 0; i < keys.length; i++) {
        sums.merge(keys[i], values[i], Long::sum);
      }
      if (round % 8 == 0) {
        // So that the next one finds nobody there, or those who find it there are let in after it.
        LockSupport.parkNanos(1_000L * random.nextInt(100));
      }
    }
    return sums;
  }

  private static Map<Long, Long> addAll(
      MapAdapter map, SplittableRandom random, AtomicLong inserted) {
    Map<Long, Long> sums = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      long[] keys = random.longs(BATCH, 0, DOMAIN).toArray();
      long[] values = random.longs(BATCH, 1, 10).toArray();
      inserted.addAndGet(map.insert(keys, values, Change.ADD, null, BulkOptions.NONE).inserted());
      for (int i = 0; i < BATCH; i++) {
        sums.merge(keys[i], values[i], Long::sum);
      }
      if (map.find(keys, null, BulkOptions.NONE).absent() != 0) {
        throw new AssertionError("a key is absent after it was inserted");
      }
    }
    return sums;
  }

  /** Sums only rise, whoever reads. */
  private static boolean readAll(MapAdapter map, AtomicBoolean done) {
    long[] keys = new SplittableRandom(99).longs(BATCH, 0, DOMAIN).toArray();
    long[] before = new long[BATCH];
    boolean rises = true;
    while (!done.get()) {
      long[] now = new long[BATCH];
      var _ = map.find(keys, now, BulkOptions.NONE);
      for (int i = 0; i < BATCH; i++) {
        rises &= now[i] >= before[i];
      }
      before = now;
    }
    return rises;
  }
}
