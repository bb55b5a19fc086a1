package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.RegionInsertTest.MaxAndOne;
import dev.gyre.structures.map.RegionInsertTest.Noting;
import dev.gyre.structures.map.RegionInsertTest.Odd;
import dev.gyre.structures.map.RegionInsertTest.OnePart;
import dev.gyre.structures.map.RegionInsertTest.ThirdPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RegionInsertTest} with longs, in slots that are lines. */
@ConformanceSuite
class RegionInsertOfLongsTest {

  private static final String FROM = "gyre.regions.from";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();
  private final AtomicReference<String> cancelled = new AtomicReference<>("none");

  @BeforeEach
  void always() {
    System.setProperty(FROM, "1");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    jvm.close();
  }

  private MapBuilder<LongLongMap> maps() {
    Launcher device = TargetUnderTest.device();
    // Of the JVM it is known that its threads go on, which slots of lines need.
    return LongLongMap.builder()
        .launcher(device == null ? new Noting(jvm, kernels, cancelled) : device)
        .waiting(device == null ? Waiting.BLOCKING : Waiting.AUTO)
        .layout(Layout.LINE)
        .seed(7);
  }

  /** On the JVM it is known which kernels ran, and how often. */
  private void requireKernels(String kernel, long times) {
    if (TargetUnderTest.device() == null) {
      assertThat(kernels.stream().filter(kernel::equals)).hasSize((int) times);
    }
    kernels.clear();
  }

  /** What is inserted how. */
  private interface Insertion {
    InsertCounts into(LongLongMap map, Longs keys, Longs values);
  }

  private static final Insertion PLAIN = (m, k, v) -> m.insert(k, v, BulkOptions.NONE);
  private static final Insertion ADD =
      (m, k, v) -> m.insertOrApply(k, v, Apply.ADD, BulkOptions.NONE);

  private static InsertCounts insert(LongLongMap map, long[] keys, Insertion how) {
    try (Memory k = Memory.ofLongs(keys.length);
        Memory v = Memory.ofLongs(keys.length)) {
      for (int i = 0; i < keys.length; i++) {
        DeviceLongs.of(k).set(i, keys[i]);
        DeviceLongs.of(v).set(i, 3 * keys[i]);
      }
      return how.into(map, Longs.onDevice(k, keys.length), Longs.onDevice(v, keys.length));
    }
  }

  private static Map<Long, Long> contents(LongLongMap map) {
    Map<Long, Long> all = new TreeMap<>();
    map.forEach((key, value) -> assertThat(all.put(key, value)).isNull());
    assertThat(map.size()).isEqualTo(all.size());
    long[] keys = all.keySet().stream().mapToLong(k -> k).toArray();
    assertThat(map.contains(keys).found()).isEqualTo(keys.length);
    return all;
  }

  private static Map<Long, Long> sums(long[]... batches) {
    Map<Long, Long> all = new TreeMap<>();
    for (long[] batch : batches) {
      for (long key : batch) {
        all.merge(key, 3 * key, Long::sum);
      }
    }
    return all;
  }

  private static Map<Long, Long> triples(long[]... batches) {
    Map<Long, Long> all = new TreeMap<>();
    for (long[] batch : batches) {
      for (long key : batch) {
        all.put(key, 3 * key);
      }
    }
    return all;
  }

  /** Few different keys, neighbours and the ones that are special, some of them often. */
  private static long[] keys(SplittableRandom random, int count) {
    return LongStream.range(0, count)
        .map(
            _ ->
                switch (random.nextInt(6)) {
                  case 0 -> Long.MIN_VALUE + random.nextInt(3);
                  case 1 -> random.nextInt(3) - 1;
                  case 2 -> random.nextLong();
                  default -> random.nextInt(count) - count / 2;
                })
        .toArray();
  }

  @ParameterizedTest
  @CsvSource({"1.0, KEEP", "0.7, KEEP", "1.0, ADD", "0.7, ADD"})
  void randomTablesFullAndHalfEmpty(double load, String change) {
    SplittableRandom random = new SplittableRandom(24);
    long[] first = keys(random, load == 1.0 ? 3_500 : 1_800);
    long[] second = keys(random, 2_000);
    boolean adds = change.equals("ADD");
    Insertion how = adds ? ADD : PLAIN;
    Map<Long, Long> both = adds ? sums(first, second) : triples(first, second);
    try (LongLongMap map = maps().loadFactor(load).capacity(4_000).build()) {
      int distinct = (int) Arrays.stream(first).distinct().count();
      assertThat(insert(map, first, how))
          .isEqualTo(new InsertCounts(distinct, first.length - distinct, 0));
      assertThat(contents(map)).isEqualTo(adds ? sums(first) : triples(first));
      requireKernels("BuildRegions", 1);
      InsertCounts counts = insert(map, second, how);
      assertThat(counts.inserted()).isEqualTo(both.size() - distinct);
      assertThat(contents(map)).isEqualTo(both);
      requireKernels("BuildRegions", 1);
    }
  }

  /** No block has a slot for them: they are inserted behind the others, or were there before. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void keysThatStandForOthersWhereABlockHasThem(int before) {
    long[] some = LongStream.rangeClosed(1, 1_000).toArray();
    some[0] = (before & 1) == 0 ? 1 : 0;
    some[1] = (before & 2) == 0 ? 2 : RegionSlots.LongLines.TAKEN;
    long[] more = LongStream.range(0, 1_400).map(i -> i * i % 1_100).toArray();
    Arrays.fill(more, 700, 705, RegionSlots.LongLines.TAKEN);
    try (LongLongMap map = maps().loadFactor(0.7).capacity(2_800).build()) {
      assertThat(insert(map, some, ADD).inserted()).isEqualTo(1_000);
      assertThat(contents(map)).isEqualTo(sums(some));
      assertThat(insert(map, more, ADD).present()).isPositive();
      assertThat(contents(map)).isEqualTo(sums(some, more));
      requireKernels("BuildRegions", 2);
    }
  }

  @Test
  void aTableThatBecomesFullToTheLastSlotButOneAndToTheLast() {
    for (int count : new int[] {999, 1_000}) {
      long[] keys = LongStream.range(0, count).map(i -> i * 77).toArray();
      try (LongLongMap map = maps().loadFactor(1.0).fixedCapacity(1_000).build()) {
        assertThat(insert(map, keys, PLAIN)).isEqualTo(new InsertCounts(count, 0, 0));
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireKernels("BuildRegions", 1);
        // No room for all that come, though they are there, but for one at most.
        long[] more = Arrays.copyOf(keys, count + 1);
        more[count] = -1;
        assertThat(insert(map, more, PLAIN))
            .isEqualTo(new InsertCounts(1_000 - count, count, count - 999));
      }
    }
  }

  @Test
  void keysOfOneRegionOnly() {
    long[] keys = LongStream.range(0, 900).toArray();
    for (Hash hash : List.of(new OnePart(), new ThirdPart())) {
      try (LongLongMap map = maps().hash(hash).loadFactor(1.0).capacity(1_000).build()) {
        assertThat(insert(map, keys, PLAIN).inserted()).isEqualTo(900);
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireKernels("BuildRegions", 1);
      }
    }
  }

  @Test
  void equalKeysOnlyAreTooMuchForARegionAndInsertedAllTheSame() {
    long[] keys = new long[20_000];
    Arrays.fill(keys, 5);
    try (LongLongMap map = maps().loadFactor(1.0).capacity(20_000).build()) {
      assertThat(insert(map, keys, ADD)).isEqualTo(new InsertCounts(1, 19_999, 0));
      assertThat(contents(map)).isEqualTo(Map.of(5L, 300_000L));
      requireKernels("Insert", 1);
    }
  }

  /** No kernel knows where the keys were that another one has put in order. */
  @Test
  void outcomesAndValuesThatAreAskedForTakeTheOtherWay() {
    long[] keys = LongStream.range(0, 900).toArray();
    try (LongLongMap map = maps().capacity(1_000).build();
        Memory outcomes = Memory.ofBytes(keys.length)) {
      Insertion told = (m, k, v) -> m.insert(k, v, BulkOptions.NONE.outcomes(outcomes));
      assertThat(insert(map, keys, told).inserted()).isEqualTo(900);
      requireKernels("BuildRegions", 0);
    }
  }

  @Test
  void anInterruptLeavesACountThatIsRight() {
    assumeTrue(TargetUnderTest.device() == null, "an interrupt comes when it does");
    long[] keys = LongStream.range(0, 900).toArray();
    try (LongLongMap map = maps().capacity(1_000).build()) {
      for (String kernel : List.of("CountRegions", "BuildRegions", "InsertLeft")) {
        cancelled.set(kernel);
        assertThatThrownBy(() -> insert(map, keys, PLAIN))
            .isInstanceOf(LaunchCancelledException.class);
        cancelled.set("none");
        assertThat(contents(map)).hasSize(kernel.equals("InsertLeft") ? 899 : 0);
      }
      assertThat(insert(map, keys, PLAIN)).isEqualTo(new InsertCounts(1, 899, 0));
    }
  }

  @Test
  void predicatesAssignmentsAndFolds() {
    long[] keys = LongStream.range(0, 3_000).map(i -> i % 2_000).toArray();
    try (LongLongMap map = maps().loadFactor(0.7).capacity(5_000).build()) {
      Insertion odd = (m, k, v) -> m.insertIf(k, v, new Odd());
      assertThat(insert(map, keys, odd)).isEqualTo(new InsertCounts(1_000, 500, 0));
      requireKernels("BuildRegions", 1);
      Insertion fold = (m, k, v) -> m.insertOrApply(k, v, new MaxAndOne(), BulkOptions.NONE);
      assertThat(insert(map, keys, fold)).isEqualTo(new InsertCounts(1_000, 2_000, 0));
      requireKernels("BuildRegions", 1);
      Map<Long, Long> wanted = new TreeMap<>();
      for (long k = 0; k < 2_000; k++) {
        wanted.put(k, 3 * k + k % 2 + (k < 1_000 ? 1 : 0));
      }
      assertThat(contents(map)).isEqualTo(wanted);
      Insertion assign = (m, k, v) -> m.insertOrAssign(k, v, BulkOptions.NONE);
      assertThat(insert(map, keys, assign)).isEqualTo(new InsertCounts(0, 3_000, 0));
      wanted.replaceAll((k, _) -> 3 * k);
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildRegions", 1);
    }
  }

  @Test
  void aMapThatGrowsForThem() {
    long[] keys = new SplittableRandom(3).longs(5_000).distinct().toArray();
    try (LongLongMap map = maps().capacity(10).build()) {
      assertThat(insert(map, keys, PLAIN).inserted()).isEqualTo(keys.length);
      assertThat(contents(map)).isEqualTo(sums(keys));
      requireKernels("BuildRegions", 1);
    }
  }
}
