package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.exclusive.KeyReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk inserts of so few keys that they are inserted as single ones are. */
@Timeout(120)
class FewKeysTest {

  private static final int MOST = 20;
  private static final int RESERVED = 1;

  private enum Call {
    INSERT,
    FIND,
    ASSIGN,
    ADD,
    MAX
  }

  /** What a map is to hold, and to say, whose keys come one after the other. */
  private static InsertCounts inModel(
      Map<Long, Long> model, Call call, long[] keys, long[] values, long[] found) {
    int inserted = 0;
    for (int i = 0; i < keys.length; i++) {
      Long before = model.get(keys[i]);
      long value = values[i];
      inserted += before == null ? 1 : 0;
      long now =
          before == null
              ? value
              : switch (call) {
                case INSERT, FIND -> before;
                case ASSIGN -> value;
                case ADD -> before + value;
                case MAX -> Math.max(before, value);
              };
      found[i] = now;
      model.put(keys[i], now);
    }
    return new InsertCounts(inserted, keys.length - inserted, 0);
  }

  private static InsertCounts inMap(
      LongLongMap map, Call call, long[] keys, long[] values, long[] found) {
    return switch (call) {
      case INSERT -> map.insert(keys, values);
      case FIND -> map.insertAndFind(keys, values, found);
      case ASSIGN -> map.insertOrAssign(keys, values);
      case ADD -> map.insertOrApply(keys, values, Apply.ADD);
      case MAX -> map.insertOrApply(keys, values, Apply.MAX);
    };
  }

  private static InsertCounts inMap(
      IntIntMap map, Call call, int[] keys, int[] values, int[] found) {
    return switch (call) {
      case INSERT -> map.insert(keys, values);
      case FIND -> map.insertAndFind(keys, values, found);
      case ASSIGN -> map.insertOrAssign(keys, values);
      case ADD -> map.insertOrApply(keys, values, Apply.ADD);
      case MAX -> map.insertOrApply(keys, values, Apply.MAX);
    };
  }

  private static int[] ints(long[] numbers) {
    return Arrays.stream(numbers).mapToInt(n -> (int) n).toArray();
  }

  private static Layout ints(Layout ofLongs) {
    return ofLongs == Layout.LINE ? Layout.PACKED : ofLongs;
  }

  /** Equal keys in a call, and key 0, among them; maps grow, or are far from the nearest caches. */
  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"REFERENCE", "LINE"})
  void areInsertedInTheirOrder(Layout layout) {
    SplittableRandom random = new SplittableRandom(7);
    for (int capacity : new int[] {1, 100_000}) {
      Map<Long, Long> model = new HashMap<>();
      try (LongLongMap longs =
              LongLongMap.builder().layout(layout).workers(1).capacity(capacity).build();
          IntIntMap ints =
              IntIntMap.builder().layout(ints(layout)).workers(1).capacity(capacity).build()) {
        for (int i = 0; i < 2_000; i++) {
          Call call = Call.values()[i % Call.values().length];
          int count = random.nextInt(MOST);
          long[] keys = random.longs(count, 0, 10 + i).toArray();
          long[] values = random.longs(count, 0, 1_000).toArray();
          long[] expected = new long[count];
          InsertCounts counts = inModel(model, call, keys, values, expected);
          long[] found = new long[count];
          assertThat(inMap(longs, call, keys, values, found)).isEqualTo(counts);
          int[] intsFound = new int[count];
          assertThat(inMap(ints, call, ints(keys), ints(values), intsFound)).isEqualTo(counts);
          if (call == Call.FIND) {
            assertThat(found).isEqualTo(expected);
            assertThat(intsFound).isEqualTo(ints(expected));
          }
        }
        assertThat(longs.size()).isEqualTo(model.size());
        model.forEach((key, value) -> assertThat(longs.get(key)).hasValue(value));
        model.forEach(
            (key, value) -> assertThat(ints.get(key.intValue())).hasValue(value.intValue()));
      }
    }
  }

  /** However many: there is no room, and none is needed. */
  @Test
  void keysThatAreThereNeedNoRoom() {
    for (int count : new int[] {3, 16, 17, 5_000}) {
      long[] keys =
          new SplittableRandom(count).longs(count, 1, Long.MAX_VALUE).distinct().toArray();
      try (LongLongMap map = LongLongMap.builder().workers(1).fixedCapacity(count).build()) {
        assertThat(map.insert(keys, keys)).isEqualTo(new InsertCounts(count, 0, 0));
        assertThat(map.insert(keys, keys)).isEqualTo(new InsertCounts(0, count, 0));
        assertThat(map.size()).isEqualTo(count);
        long[] others = keys.clone();
        others[count / 2] = -1;
        assertThat(map.insert(others, others)).isEqualTo(new InsertCounts(0, count - 1, 1));
        assertThat(map.size()).isEqualTo(count);
      }
      // With room for one: equal keys need no more.
      try (LongLongMap map = LongLongMap.builder().workers(1).fixedCapacity(count + 1).build()) {
        assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
        long[] others = keys.clone();
        others[0] = -1;
        others[count / 2] = -1;
        assertThat(map.insert(others, others)).isEqualTo(new InsertCounts(1, count - 1, 0));
        assertThat(map.size()).isEqualTo(count + 1);
      }
    }
  }

  /** Beside each other, and beside growth. */
  @Test
  void severalThreadsLoseNoneOfThem() throws Exception {
    int threads = 3;
    int calls = 3_000;
    AtomicLong sums = new AtomicLong();
    try (LongLongMap map = LongLongMap.builder().capacity(1).build();
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      Callable<Long> work =
          () -> {
            SplittableRandom random = new SplittableRandom(Thread.currentThread().threadId());
            long inserted = 0;
            for (int i = 0; i < calls; i++) {
              long[] keys = random.longs(random.nextInt(1, MOST), 0, 10 + i).toArray();
              long[] ones = new long[keys.length];
              Arrays.fill(ones, 1);
              InsertCounts counts = map.insertOrApply(keys, ones, Apply.ADD);
              assertThat(counts.inserted() + counts.present()).isEqualTo(keys.length);
              inserted += counts.inserted();
              long _ = sums.addAndGet(keys.length);
            }
            return inserted;
          };
      List<Future<Long>> all =
          IntStream.range(0, threads).mapToObj(_ -> pool.submit(work)).toList();
      long inserted = 0;
      for (Future<Long> one : all) {
        inserted += one.get();
      }
      assertThat(map.size()).isEqualTo(inserted);
      long[] sum = new long[1];
      map.forEach((_, value) -> sum[0] += value);
      assertThat(sum[0]).isEqualTo(sums.get());
    }
  }

  /** What is behind a key that waits in vain for who has claimed its slot is done, and in order. */
  @Test
  void thoseBehindAKeyThatHasToWaitFollowIt() {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1);
        LongLongMap map =
            LongLongMap.builder()
                .layout(Layout.REFERENCE)
                .launcher(jvm)
                .pollLimit(200)
                .capacity(100)
                .build()) {
      KeyReader reader = Objects.requireNonNull(map.store.reader());
      Memory states = map.store.table().memories().getFirst();
      DeviceInts.of(states).set(~reader.find(7), RESERVED);
      long[] keys = {1, 7, 1};
      long[] values = {10, 70, 30};
      assertThatThrownBy(() -> map.insertOrAssign(keys, values))
          .isInstanceOfSatisfying(
              StuckException.class,
              e -> {
                assertThat(e.keys()).isEqualTo(1);
                assertThat(e.soFar(InsertCounts.class)).hasValue(new InsertCounts(1, 1, 0));
              });
      assertThat(map.get(1)).hasValue(30);
    }
  }
}
