package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.partition.PartitionSlots;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitioned inserts against a map of the Java library: on the device under test, else on threads
 * of the JVM that stand for those of a device.
 */
@ParameterizedClass
@FieldSource("KINDS")
@ConformanceSuite
@Tag("slow")
class PartitionedInsertTest {

  /** Of the JVM it is known that its threads go on, which slots of lines need. */
  private static final Waiting WAITING =
      TargetUnderTest.isDevice() ? Waiting.AUTO : Waiting.BLOCKING;

  static final List<Kind> KINDS =
      List.of(new Kind(false, Layout.PACKED, 2, WAITING), new Kind(true, Layout.LINE, 2, WAITING));

  private static final String FROM = "gyre.partition.from";
  private static final String ADDITIONS = "gyre.additions.from";

  private static final LongBinaryOperator KEEP = (present, _) -> present;

  @Parameter private Kind kind = KINDS.getFirst();

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  /** The kernel whose launch ends with an interrupt, before it begins. */
  private String cancelled = "none";

  /** A device whose memory is the host's, and which notes its kernels: one after the other. */
  private final class Noting extends ForwardingLauncher {
    Noting() {
      super(jvm, deviceOnJvm(1));
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      kernels.add(kernel.name());
      if (kernel.name().equals(cancelled)) {
        throw new LaunchCancelledException(kernel.name(), device(), null);
      }
      Launch launch = launcher.start(kernel, onJvm(shape), mode);
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

  private MapAdapter map(Consumer<MapBuilder<?>> settings) {
    Launcher device = TargetUnderTest.device();
    return kind.build(
        b -> {
          b.launcher(device == null ? new Noting() : device).seed(7);
          settings.accept(b);
        });
  }

  /** On the JVM it is known which kernels ran, and how often. */
  private void requireKernels(String kernel, int times) {
    if (TargetUnderTest.device() == null) {
      assertThat(kernels.stream().filter(kernel::equals)).hasSize(times);
    }
    kernels.clear();
  }

  private InsertCounts insert(MapAdapter map, long[] keys, Change change) {
    return map.insertOnDevice(keys, values(keys), change, BulkOptions.NONE);
  }

  private long[] values(long[] keys) {
    return Arrays.stream(keys).map(k -> kind.wrap(3 * k)).toArray();
  }

  private static Map<Long, Long> contents(MapAdapter map) {
    Map<Long, Long> all = map.walked();
    assertThat(map.size()).isEqualTo(all.size());
    long[] keys = all.keySet().stream().mapToLong(k -> k).toArray();
    assertThat(map.find(keys, null, BulkOptions.NONE).found()).isEqualTo(keys.length);
    return all;
  }

  /** What becomes of a model where keys come, one after the other. */
  private Map<Long, Long> changed(Map<Long, Long> model, long[] keys, LongBinaryOperator change) {
    for (long key : keys) {
      model.merge(key, kind.wrap(3 * key), (p, given) -> kind.wrap(change.applyAsLong(p, given)));
    }
    return model;
  }

  private Map<Long, Long> sums(long[]... batches) {
    Map<Long, Long> all = new TreeMap<>();
    for (long[] batch : batches) {
      changed(all, batch, Long::sum);
    }
    return all;
  }

  /** Few different keys, neighbours and the ones that are special, some of them often. */
  private long[] keys(SplittableRandom random, int count) {
    return LongStream.range(0, count)
        .map(
            _ ->
                switch (random.nextInt(6)) {
                  case 0 -> kind.wrap(kind.min() - random.nextInt(-2, 3));
                  case 1 -> random.nextInt(3) - 1;
                  case 2 -> kind.wrap(random.nextLong());
                  default -> random.nextInt(count) - count / 2;
                })
        .toArray();
  }

  @ParameterizedTest
  @CsvSource({"1.0, KEEP", "0.7, KEEP", "1.0, ADD", "0.7, ADD"})
  void randomTablesFullAndHalfEmpty(double load, Change change) {
    SplittableRandom random = new SplittableRandom(24);
    long[] first = keys(random, load == 1.0 ? 3_500 : 1_800);
    long[] second = keys(random, 2_000);
    LongBinaryOperator changed = change == Change.KEEP ? KEEP : Long::sum;
    Map<Long, Long> wanted = changed(new TreeMap<>(), first, changed);
    int distinct = wanted.size();
    try (MapAdapter map = map(b -> b.loadFactor(load).capacity(4_000))) {
      assertThat(insert(map, first, change))
          .isEqualTo(new InsertCounts(distinct, first.length - distinct, 0));
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildPartitions", 1);
      InsertCounts counts = insert(map, second, change);
      changed(wanted, second, changed);
      assertThat(counts.inserted()).isEqualTo(wanted.size() - distinct);
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildPartitions", 1);
    }
  }

  /** No block has a slot for them: they are inserted behind the others, or were there before. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void keysThatStandForOthersWhereABlockHasThem(int before) {
    assumeTrue(kind.longs(), "of ints there are none");
    long[] some = LongStream.rangeClosed(1, 1_000).toArray();
    some[0] = (before & 1) == 0 ? 1 : 0;
    some[1] = (before & 2) == 0 ? 2 : PartitionSlots.LongLines.TAKEN;
    long[] more = LongStream.range(0, 1_400).map(i -> i * i % 1_100).toArray();
    Arrays.fill(more, 700, 705, PartitionSlots.LongLines.TAKEN);
    try (MapAdapter map = map(b -> b.loadFactor(0.7).capacity(2_800))) {
      assertThat(insert(map, some, Change.ADD).inserted()).isEqualTo(1_000);
      assertThat(contents(map)).isEqualTo(sums(some));
      assertThat(insert(map, more, Change.ADD).present()).isPositive();
      assertThat(contents(map)).isEqualTo(sums(some, more));
      requireKernels("BuildPartitions", 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1t"})
  void additionsOfFrequentKeysAndOfOthersOneByOneAndPartitioned(String from) {
    assumeFalse(kind.longs(), "those of longs are not added up before");
    System.setProperty(ADDITIONS, "1");
    System.setProperty(FROM, from);
    SplittableRandom random = new SplittableRandom(25);
    long[] frequent = keys(random, 5_000);
    long[] unique = random.ints(5_000).distinct().asLongStream().toArray();
    long[] equal = new long[5_000];
    Arrays.fill(equal, frequent[8]);
    try (MapAdapter map = map(b -> b.loadFactor(0.9).capacity(18_000))) {
      Map<Long, Long> wanted = new TreeMap<>();
      for (long[] batch : List.of(frequent, unique, equal)) {
        int before = wanted.size();
        int inserted = changed(wanted, batch, Long::sum).size() - before;
        assertThat(insert(map, batch, Change.ADD))
            .isEqualTo(new InsertCounts(inserted, batch.length - inserted, 0));
        assertThat(contents(map)).isEqualTo(wanted);
      }
      if (TargetUnderTest.device() == null) {
        assertThat(kernels)
            .contains(
                "SampleKeys",
                "BlockAggregate",
                from.equals("1") ? "BuildPartitions" : "DirectAggregate")
            .doesNotContain("Insert");
      }
    }
  }

  /** Of a key that is FULL nothing is added, whichever thread of whichever block meets it. */
  @ParameterizedTest
  @CsvSource({"1, 20000", "40, 20000", "999, 20000", "150000, 300000"})
  void additionsOfFrequentKeysWhereNotAllHaveRoom(int more, int keys) {
    assumeFalse(kind.longs(), "those of longs are not added up");
    System.setProperty(ADDITIONS, "1");
    System.setProperty(FROM, "1t");
    SplittableRandom random = new SplittableRandom(27);
    long[] there = LongStream.range(0, 1_000).toArray();
    long[] batch = random.longs(keys, 0, 1_000 + more).map(key -> key % 3 == 0 ? 5 : key).toArray();
    try (MapAdapter map = map(b -> b.fixedCapacity(1_000 + more / 2))) {
      assertThat(insert(map, there, Change.ADD)).isEqualTo(new InsertCounts(1_000, 0, 0));
      kernels.clear();
      InsertCounts counts = insert(map, batch, Change.ADD);
      requireKernels("BlockAggregate", 1);
      Map<Long, Long> wanted = sums(there, batch);
      Map<Long, Long> contents = contents(map);
      wanted.keySet().retainAll(contents.keySet());
      assertThat(contents).isEqualTo(wanted).hasSize(1_000 + more / 2);
      long full = LongStream.of(batch).filter(key -> !contents.containsKey(key)).count();
      assertThat(counts)
          .isEqualTo(new InsertCounts(more / 2, batch.length - full - more / 2, full));
    }
  }

  /** Of which all but the first are there: looked up in the cache before they could be ordered. */
  @Test
  void frequentKeysOfWhichNothingIsChangedGoOneByOne() {
    System.setProperty(ADDITIONS, "1");
    SplittableRandom random = new SplittableRandom(26);
    long[] unique = random.ints(3_000).distinct().asLongStream().toArray();
    long[] equal = new long[3_400];
    Arrays.fill(equal, 77);
    try (MapAdapter map = map(b -> b.capacity(10_000).loadFactor(1.0))) {
      assertThat(insert(map, unique, Change.KEEP)).isEqualTo(new InsertCounts(unique.length, 0, 0));
      requireKernels("BuildPartitions", 1);
      assertThat(insert(map, equal, Change.KEEP)).isEqualTo(new InsertCounts(1, 3_399, 0));
      requireKernels("BuildPartitions", 0);
      // What was sampled is not counted.
      assertThat(insert(map, equal, Change.ASSIGN).inserted()).isZero();
      assertThat(contents(map)).hasSize(unique.length + 1).containsEntry(77L, kind.wrap(231));
    }
  }

  @Test
  void aTableThatBecomesFullToTheLastSlotButOneAndToTheLast() {
    for (int count : new int[] {999, 1_000}) {
      long[] keys = LongStream.range(0, count).map(i -> i * 77).toArray();
      try (MapAdapter map = map(b -> b.loadFactor(1.0).fixedCapacity(1_000))) {
        assertThat(insert(map, keys, Change.KEEP)).isEqualTo(new InsertCounts(count, 0, 0));
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireKernels("BuildPartitions", 1);
        // No room for all that come, though they are there, but for one at most.
        long[] more = Arrays.copyOf(keys, count + 1);
        more[count] = -1;
        assertThat(insert(map, more, Change.KEEP))
            .isEqualTo(new InsertCounts(1_000 - count, count, count - 999));
      }
    }
  }

  /** Each number from 0 on has the slot of that number. */
  record InOrder(long slots) implements Hash {
    @Override
    public long hash(long key, long seed) {
      long part = ((key << 32) + slots - 1) / slots;
      return Unmixed.of(part << 32 | part, seed);
    }
  }

  @Test
  void partitionsThatAreFullToTheLastSlot() {
    assumeFalse(kind.longs(), "this hash is of ints");
    // In 2051 slots, of which the last three of four partitions are full.
    long[] keys = LongStream.range(121, 2051).toArray();
    try (MapAdapter map =
        map(b -> b.hash(new InOrder(2051)).loadFactor(1.0).capacity(keys.length))) {
      assertThat(insert(map, keys, Change.KEEP)).isEqualTo(new InsertCounts(keys.length, 0, 0));
      assertThat(contents(map)).isEqualTo(sums(keys));
      requireKernels("InsertOverflow", 1);
    }
  }

  /** Numbers that all live in the first of sixteen parts. */
  record OnePart() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Unmixed.of(((key * 0x9e3779b97f4a7c15L) >> 8) & 0x0fff_ffff_ffff_ffffL, seed);
    }
  }

  /** Numbers that all live in the third of four parts. */
  record ThirdPart() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Unmixed.of(((key * 0x9e3779b97f4a7c15L) >>> 2) | Long.MIN_VALUE, seed);
    }
  }

  /** Also if the partitions behind it have not enough slots, so that keys go around the end. */
  @Test
  void keysOfOnePartitionOnly() {
    long[] keys = LongStream.range(0, 900).toArray();
    for (Hash hash : List.of(new OnePart(), new ThirdPart())) {
      try (MapAdapter map = map(b -> b.hash(hash).loadFactor(1.0).capacity(1_000))) {
        assertThat(insert(map, keys, Change.KEEP).inserted()).isEqualTo(900);
        assertThat(contents(map)).isEqualTo(sums(keys));
        requireKernels("BuildPartitions", 1);
      }
    }
  }

  /** Not partitioned: each claim takes capacity, since the caller's keys may change meanwhile. */
  @Test
  void aTableThatHasNoRoomForAllHasItForThoseThatAreNew() {
    long[] keys = LongStream.range(0, 900).toArray();
    long[] more = LongStream.range(20, 920).toArray();
    try (MapAdapter map = map(b -> b.capacity(1_000))) {
      assertThat(insert(map, keys, Change.KEEP).inserted()).isEqualTo(900);
      long capacity = map.capacity();
      kernels.clear();
      assertThat(insert(map, more, Change.ADD)).isEqualTo(new InsertCounts(20, 880, 0));
      assertThat(contents(map)).isEqualTo(sums(keys, more));
      assertThat(map.capacity()).isEqualTo(capacity);
      requireKernels("BuildPartitions", 0);
    }
  }

  /** Some keys are in a partition by then that has no slot for others. */
  @Test
  void anInterruptLeavesACountThatIsRight() {
    assumeTrue(TargetUnderTest.device() == null, "an interrupt comes when it does");
    long[] keys = LongStream.range(0, 900).toArray();
    String last = "InsertOverflow";
    try (MapAdapter map = map(b -> b.hash(new OnePart()).capacity(1_000))) {
      for (String kernel :
          List.of("CountPartitions", "OrderByPartition", "BuildPartitions", last)) {
        cancelled = kernel;
        assertThatThrownBy(() -> insert(map, keys, Change.KEEP))
            .isInstanceOf(LaunchCancelledException.class);
        cancelled = "none";
        int most = kernel.equals(last) ? 899 : 0;
        assertThat(contents(map).size()).isBetween(Math.min(1, most), most);
      }
      assertThat(insert(map, keys, Change.KEEP).inserted()).isLessThan(900);
      assertThat(contents(map)).isEqualTo(sums(keys));
    }
  }

  /** What adds the keys where none is frequent follows what has added those that are. */
  @Test
  void anInterruptBetweenAdditionsLeavesACountThatIsRight() {
    assumeTrue(TargetUnderTest.device() == null, "an interrupt comes when it does");
    assumeFalse(kind.longs(), "those of longs are not added up before");
    System.setProperty(ADDITIONS, "1");
    System.setProperty(FROM, "1t");
    long[] keys = new long[2_000];
    Arrays.fill(keys, 5);
    try (MapAdapter map = map(b -> b.capacity(3_000))) {
      cancelled = "DirectAggregate";
      assertThatThrownBy(() -> insert(map, keys, Change.ADD))
          .isInstanceOf(LaunchCancelledException.class);
      assertThat(contents(map)).isEqualTo(sums(keys));
    }
  }

  @Test
  void equalKeysAreTooMuchForAPartitionAndInsertedAllTheSame() {
    long[] keys = new long[40_000];
    Arrays.fill(keys, 5);
    try (MapAdapter map = map(b -> b.loadFactor(1.0).capacity(keys.length))) {
      assertThat(insert(map, keys, Change.ADD)).isEqualTo(new InsertCounts(1, 39_999, 0));
      assertThat(contents(map)).isEqualTo(Map.of(5L, 600_000L));
      requireKernels("Insert", 1);
    }
  }

  /** No kernel knows where the keys were that another one has put in order. */
  @Test
  void outcomesThatAreAskedForTakeTheOtherWay() {
    long[] keys = LongStream.range(0, 900).toArray();
    try (MapAdapter map = map(b -> b.capacity(1_000));
        Memory outcomes = Memory.ofBytes(keys.length)) {
      var _ = insert(map, Arrays.copyOf(keys, 100), Change.KEEP);
      kernels.clear();
      BulkOptions told = BulkOptions.NONE.outcomes(outcomes);
      assertThat(map.insertOnDevice(keys, values(keys), Change.KEEP, told).inserted())
          .isEqualTo(800);
      requireKernels("BuildPartitions", 0);
      Launcher device = TargetUnderTest.device();
      if (device != null) {
        device.readBack(outcomes);
      }
      byte[] codes = new byte[keys.length];
      Arrays.fill(codes, 0, 100, Outcome.PRESENT.code());
      Arrays.fill(codes, 100, keys.length, Outcome.INSERTED.code());
      assertThat(outcomes.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(codes);
    }
  }

  /** Odd values. */
  record Odd() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) != 0;
    }
  }

  @Test
  void predicatesAssignmentsAndFolds() {
    long[] keys = LongStream.range(0, 3_000).map(i -> i % 2_000).toArray();
    long[] odd = Arrays.stream(keys).filter(k -> k % 2 != 0).toArray();
    try (MapAdapter map = map(b -> b.loadFactor(0.7).capacity(5_000))) {
      assertThat(
              map.insertOnDevice(
                  keys, values(keys), Change.KEEP, BulkOptions.NONE.where(new Odd())))
          .isEqualTo(new InsertCounts(1_000, 500, 0));
      Map<Long, Long> wanted = changed(new TreeMap<>(), odd, KEEP);
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildPartitions", 1);
      assertThat(insert(map, keys, Change.FOLD)).isEqualTo(new InsertCounts(1_000, 2_000, 0));
      changed(wanted, keys, MapAdapter.Scale.BY_ODD::apply);
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildPartitions", 1);
      assertThat(insert(map, keys, Change.ASSIGN)).isEqualTo(new InsertCounts(0, 3_000, 0));
      changed(wanted, keys, (_, given) -> given);
      assertThat(contents(map)).isEqualTo(wanted);
      requireKernels("BuildPartitions", 1);
    }
  }

  @Test
  void aMapThatGrowsForThem() {
    long[] keys = new SplittableRandom(3).ints(20_000).distinct().asLongStream().toArray();
    try (MapAdapter map = map(b -> b.capacity(10))) {
      assertThat(insert(map, keys, Change.KEEP).inserted()).isEqualTo(keys.length);
      assertThat(contents(map)).isEqualTo(sums(keys));
      requireKernels("BuildPartitions", 1);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1.0})
  void tablesThatAreRehashed(double load) {
    long[] keys = keys(new SplittableRandom(31), 4_000);
    keys[0] = kind.wrap(PartitionSlots.LongLines.TAKEN);
    try (MapAdapter map = map(b -> b.loadFactor(load).capacity(4_000))) {
      assertThat(insert(map, keys, Change.KEEP).inserted()).isPositive();
      Map<Long, Long> before = contents(map);
      for (int capacity : new int[] {10_000, 6_000, before.size()}) {
        map.rehash(capacity);
        assertThat(contents(map)).isEqualTo(before);
      }
    }
  }
}
