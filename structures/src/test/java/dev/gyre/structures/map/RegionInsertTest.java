package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inserts by regions against a map of the Java library: on the device under test, else on threads
 * of the JVM that stand for those of a device.
 */
@ConformanceSuite
class RegionInsertTest {

  private static final String FROM = "gyre.regions.from";
  private static final String ADDITIONS = "gyre.additions.from";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  /** The kernel whose launch ends with an interrupt, before it begins. */
  private final AtomicReference<String> cancelled = new AtomicReference<>("none");

  /** A device whose memory is the host's, and which notes its kernels: one after the other. */
  static final class Noting extends ForwardingLauncher {
    private final List<String> kernels;
    private final AtomicReference<String> cancelled;

    Noting(Launcher launcher, List<String> kernels, AtomicReference<String> cancelled) {
      super(launcher, deviceOnJvm(1));
      this.kernels = kernels;
      this.cancelled = cancelled;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      kernels.add(kernel.name());
      if (kernel.name().equals(cancelled.get())) {
        throw new LaunchCancelledException(kernel.name(), device(), null);
      }
      Launch launch = launcher.start(kernel, shape, mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void always() {
    System.setProperty(FROM, "1");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    System.clearProperty(ADDITIONS);
    jvm.close();
  }

  private Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? new Noting(jvm, kernels, cancelled) : device;
  }

  /** On the JVM it is known which kernels ran. */
  private void requireRegions() {
    if (TargetUnderTest.device() == null) {
      assertThat(kernels).contains("BuildRegions");
    }
  }

  private MapBuilder<IntIntMap> maps() {
    // Of the JVM it is known that its threads go on, which slots of lines need.
    Waiting waiting = TargetUnderTest.device() == null ? Waiting.BLOCKING : Waiting.AUTO;
    return IntIntMap.builder().launcher(launcher()).waiting(waiting).seed(7);
  }

  /** What is inserted how. */
  private interface Insertion {
    InsertCounts into(IntIntMap map, Ints keys, Ints values);
  }

  private InsertCounts insert(IntIntMap map, int[] keys, int[] values, Insertion how) {
    try (Memory k = Memory.ofInts(keys.length);
        Memory v = Memory.ofInts(keys.length)) {
      for (int i = 0; i < keys.length; i++) {
        DeviceInts.of(k).set(i, keys[i]);
        DeviceInts.of(v).set(i, values[i]);
      }
      return how.into(map, Ints.onDevice(k, keys.length), Ints.onDevice(v, keys.length));
    }
  }

  private static InsertCounts plain(IntIntMap map, Ints keys, Ints values) {
    return map.insert(keys, values, BulkOptions.NONE);
  }

  private static Map<Integer, Integer> contents(IntIntMap map) {
    Map<Integer, Integer> all = new TreeMap<>();
    map.forEach((key, value) -> assertThat(all.put(key, value)).isNull());
    assertThat(map.size()).isEqualTo(all.size());
    int[] keys = all.keySet().stream().mapToInt(i -> i).toArray();
    assertThat(map.contains(keys).found()).isEqualTo(keys.length);
    return all;
  }

  private static Map<Integer, Integer> sums(int[]... batches) {
    Map<Integer, Integer> all = new TreeMap<>();
    for (int[] batch : batches) {
      for (int key : batch) {
        all.merge(key, 2 * key, (a, b) -> a + b);
      }
    }
    return all;
  }

  private static int[] values(int[] keys) {
    return Arrays.stream(keys).map(k -> 2 * k).toArray();
  }

  /** Few different keys, neighbours and the ones that are special, some of them often. */
  private static int[] keys(SplittableRandom random, int count) {
    return IntStream.range(0, count)
        .map(
            _ ->
                switch (random.nextInt(6)) {
                  case 0 -> Integer.MIN_VALUE + random.nextInt(3);
                  case 1 -> Integer.MAX_VALUE - random.nextInt(3);
                  case 2 -> random.nextInt();
                  default -> random.nextInt(count) - count / 2;
                })
        .toArray();
  }

  @Test
  void randomTablesFullAndHalfEmpty() {
    SplittableRandom random = new SplittableRandom(24);
    for (int i = 0; i < 3; i++) {
      Layout layout = i < 1 ? Layout.PACKED : Layout.LINE;
      double load = i < 2 ? 1.0 : 0.3;
      int[] first = keys(random, load == 1.0 ? 3_500 : 2_000);
      int[] second = keys(random, 1_500);
      Map<Integer, Integer> both = sums(first, second);
      try (IntIntMap map = maps().layout(layout).loadFactor(load).capacity(4_000).build()) {
        Insertion add = (m, k, v) -> m.insertOrApply(k, v, Apply.ADD, BulkOptions.NONE);
        int distinct = (int) Arrays.stream(first).distinct().count();
        assertThat(insert(map, first, values(first), add))
            .isEqualTo(new InsertCounts(distinct, first.length - distinct, 0));
        assertThat(contents(map)).isEqualTo(sums(first));
        InsertCounts counts = insert(map, second, values(second), add);
        assertThat(counts.inserted()).isEqualTo(both.size() - distinct);
        assertThat(contents(map)).isEqualTo(both);
        requireRegions();
        if (TargetUnderTest.device() == null) {
          assertThat(kernels.contains("PlaceRegions")).isEqualTo(load == 1.0);
        }
        kernels.clear();
      }
    }
  }

  @Test
  void additionsOfFrequentKeysAndOfOthersOneByOneAndByRegions() {
    System.setProperty(ADDITIONS, "1");
    SplittableRandom random = new SplittableRandom(25);
    Insertion add = (m, k, v) -> m.insertOrApply(k, v, Apply.ADD, BulkOptions.NONE);
    int[] frequent = keys(random, 5_000);
    int[] unique = random.ints(5_000).distinct().toArray();
    int[] equal = new int[5_000];
    Arrays.fill(equal, frequent[8]);
    for (Layout layout : new Layout[] {Layout.PACKED, Layout.LINE}) {
      for (String regionsFrom : List.of("1", "1t")) {
        System.setProperty(FROM, regionsFrom);
        try (IntIntMap map = maps().layout(layout).capacity(20_000).build()) {
          Map<Integer, Integer> wanted = new TreeMap<>();
          for (int[] batch : List.of(frequent, unique, equal)) {
            int before = wanted.size();
            sums(batch).forEach((k, v) -> wanted.merge(k, v, Integer::sum));
            int inserted = wanted.size() - before;
            assertThat(insert(map, batch, values(batch), add))
                .isEqualTo(new InsertCounts(inserted, batch.length - inserted, 0));
            assertThat(contents(map)).isEqualTo(wanted);
          }
          if (TargetUnderTest.device() == null) {
            assertThat(kernels)
                .contains(
                    "SampleKeys",
                    "AddTogether",
                    regionsFrom.equals("1") ? "BuildRegions" : "AddApart")
                .doesNotContain("Insert");
          }
          kernels.clear();
        }
      }
    }
  }

  @Test
  void aTableThatBecomesFullToTheLastSlotButOneAndToTheLast() {
    for (int count : new int[] {999, 1_000}) {
      int[] keys = IntStream.range(0, count).map(i -> i * 77).toArray();
      try (IntIntMap map = maps().loadFactor(1.0).fixedCapacity(1_000).build()) {
        assertThat(insert(map, keys, values(keys), RegionInsertTest::plain))
            .isEqualTo(new InsertCounts(count, 0, 0));
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireRegions();
        // No room for all that come, though they are there, but for one at most.
        int[] more = Arrays.copyOf(keys, count + 1);
        more[count] = -1;
        assertThat(insert(map, more, values(more), RegionInsertTest::plain))
            .isEqualTo(new InsertCounts(1_000 - count, count, count - 999));
      }
    }
  }

  /** Numbers that all live in the first of sixteen parts. */
  record OnePart() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return ((key * 0x9e3779b97f4a7c15L) >> 8) & 0x0fff_ffff_ffff_ffffL;
    }
  }

  /** Numbers that all live in the third of four parts. */
  record ThirdPart() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return ((key * 0x9e3779b97f4a7c15L) >>> 2) | Long.MIN_VALUE;
    }
  }

  /** Also one with regions behind it that have not room for all, which go around the end. */
  @Test
  void keysOfOneRegionOnly() {
    int[] keys = IntStream.range(0, 900).toArray();
    for (Hash hash : List.of(new OnePart(), new ThirdPart())) {
      try (IntIntMap map = maps().hash(hash).loadFactor(1.0).capacity(1_000).build()) {
        assertThat(insert(map, keys, values(keys), RegionInsertTest::plain).inserted())
            .isEqualTo(900);
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireRegions();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PACKED", "LINE"})
  void aTableThatHasNoRoomForAllHasItForThoseThatAreNew(Layout layout) {
    int[] keys = IntStream.range(0, 900).toArray();
    int[] more = IntStream.range(20, 920).toArray();
    try (IntIntMap map = maps().layout(layout).capacity(1_000).build()) {
      assertThat(insert(map, keys, values(keys), RegionInsertTest::plain).inserted())
          .isEqualTo(900);
      long capacity = map.capacity();
      kernels.clear();
      Insertion add = (m, k, v) -> m.insertOrApply(k, v, Apply.ADD, BulkOptions.NONE);
      assertThat(insert(map, more, values(more), add)).isEqualTo(new InsertCounts(20, 880, 0));
      assertThat(contents(map)).isEqualTo(sums(keys, more));
      assertThat(map.capacity()).isEqualTo(capacity);
      requireRegions();
    }
  }

  /** Some keys are in regions by then, of which there is no place for others. */
  @Test
  void anInterruptBehindTheRegionsLeavesACountThatIsRight() {
    assumeTrue(TargetUnderTest.device() == null, "an interrupt comes when it does");
    int[] keys = IntStream.range(0, 900).toArray();
    try (IntIntMap map = maps().hash(new OnePart()).capacity(1_000).build()) {
      for (String kernel : List.of("OrderByRegion", "BuildRegions", "InsertSpilled")) {
        cancelled.set(kernel);
        assertThatThrownBy(() -> insert(map, keys, values(keys), RegionInsertTest::plain))
            .isInstanceOf(LaunchCancelledException.class);
        cancelled.set("none");
        int there = contents(map).size();
        assertThat(there).isBetween(kernel.equals("InsertSpilled") ? 1 : 0, 899);
      }
      assertThat(insert(map, keys, values(keys), RegionInsertTest::plain).inserted())
          .isLessThan(900);
      assertThat(contents(map)).isEqualTo(sums(keys));
    }
  }

  @Test
  void equalKeysOnlyAreTooMuchForARegionAndInsertedAllTheSame() {
    int[] keys = new int[30_000];
    Arrays.fill(keys, 5);
    try (IntIntMap map = maps().capacity(30_000).build()) {
      Insertion add = (m, k, v) -> m.insertOrApply(k, v, Apply.ADD, BulkOptions.NONE);
      assertThat(insert(map, keys, values(keys), add)).isEqualTo(new InsertCounts(1, 29_999, 0));
      assertThat(contents(map)).isEqualTo(Map.of(5, 300_000));
      requireRegions();
    }
  }

  /** Odd values. */
  record Odd() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) != 0;
    }
  }

  /** The larger one, and one more. */
  record MaxAndOne() implements Fold {
    @Override
    public long apply(long present, long given) {
      return (present < given ? given : present) + 1;
    }
  }

  @Test
  void predicatesAssignmentsAndFolds() {
    int[] keys = IntStream.range(0, 3_000).map(i -> i % 2_000).toArray();
    int[] values = IntStream.range(0, 3_000).map(i -> i % 2_000).toArray();
    try (IntIntMap map = maps().layout(Layout.LINE).capacity(5_000).build()) {
      Insertion odd = (m, k, v) -> m.insertIf(k, v, new Odd());
      assertThat(insert(map, keys, values, odd)).isEqualTo(new InsertCounts(1_000, 500, 0));
      Insertion fold = (m, k, v) -> m.insertOrApply(k, v, new MaxAndOne(), BulkOptions.NONE);
      assertThat(insert(map, keys, values, fold)).isEqualTo(new InsertCounts(1_000, 2_000, 0));
      Map<Integer, Integer> wanted = new TreeMap<>();
      for (int k = 0; k < 2_000; k++) {
        wanted.put(k, k + k % 2 + (k < 1_000 ? 1 : 0));
      }
      assertThat(contents(map)).isEqualTo(wanted);
      Insertion assign = (m, k, v) -> m.insertOrAssign(k, v, BulkOptions.NONE);
      assertThat(insert(map, keys, values(keys), assign)).isEqualTo(new InsertCounts(0, 3_000, 0));
      wanted.replaceAll((k, _) -> 2 * k);
      assertThat(contents(map)).isEqualTo(wanted);
      requireRegions();
    }
  }

  @Test
  void aMapThatGrowsForThem() {
    SplittableRandom random = new SplittableRandom(3);
    int[] keys = random.ints(20_000).distinct().toArray();
    try (IntIntMap map = maps().capacity(10).build()) {
      assertThat(insert(map, keys, values(keys), RegionInsertTest::plain).inserted())
          .isEqualTo(keys.length);
      assertThat(contents(map)).isEqualTo(sums(keys));
      requireRegions();
    }
  }
}
