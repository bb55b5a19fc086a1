package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.FailingPart;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.launch.LongMapRef;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps and sets that are spread over a group of launchers. */
@Timeout(60)
class GroupMapTest {

  /** So many that each part has several steps to do, which it launches. */
  private static final int MANY = 200_000;

  @TempDir private Path folder;
  private final FailingPart first = new FailingPart();
  private final FailingPart second = new FailingPart();
  private final Launcher group = LauncherGroup.of(List.of(first, second));

  @AfterEach
  void close() {
    group.close();
  }

  record Odd() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) != 0;
    }
  }

  record SumUp(DeviceLongs sum) implements EntryVisitor {
    @Override
    public void visit(long key, long value) {
      long _ = sum.fetchAddRelaxed(0, value);
    }
  }

  record Nothing(LongMapRef map) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  /** Says that it was asked, the first time, and waits until it may go on. */
  record Waiting(DeviceInts asked) implements Fold {
    @Override
    public long apply(long present, long given) {
      if (asked.loadAcquire(0) == 0) {
        asked.storeRelease(0, 1);
        int _ = asked.waitWhileEqualAcquire(0, 1, 1 << 20);
      }
      return present + given;
    }
  }

  private LongLongMap map() {
    return LongLongMap.builder().launcher(group).build();
  }

  private static Map<Long, Long> entries(LongLongMap map) {
    Map<Long, Long> entries = new HashMap<>();
    map.forEach((key, value) -> assertThat(entries.put(key, value)).isNull());
    return entries;
  }

  @Test
  void keysAreSpreadAndResultsAreInTheOrderOfTheKeys() {
    SplittableRandom random = new SplittableRandom(1);
    long[] keys = random.longs(MANY, 0, MANY).toArray();
    long[] values = LongStream.of(keys).map(key -> 3 * key).toArray();
    boolean[] mask = new boolean[MANY];
    boolean[] told = new boolean[MANY];
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < MANY; i++) {
      mask[i] = random.nextInt(4) > 0;
      if (mask[i]) {
        model.put(keys[i], values[i]);
      }
    }
    byte[] outcomes = new byte[MANY];
    long[] found = new long[MANY];
    try (LongLongMap map = map()) {
      InsertCounts counts =
          map.insert(
              Longs.of(keys), Longs.of(values), BulkOptions.NONE.where(mask).outcomes(outcomes));
      assertThat(counts.inserted()).isEqualTo(model.size()).isEqualTo(map.size());
      assertThat(entries(map)).isEqualTo(model);
      for (int i = 0; i < MANY; i++) {
        told[i] = outcomes[i] != Outcome.SKIPPED.code();
      }
      assertThat(told).isEqualTo(mask);
      Arrays.fill(found, -1);
      FindCounts hits =
          map.find(
              Longs.of(keys), Longs.of(found), BulkOptions.NONE.where(mask).outcomes(outcomes));
      assertThat(hits.absent()).isZero();
      long[] expected = new long[MANY];
      for (int i = 0; i < MANY; i++) {
        expected[i] = mask[i] ? values[i] : -1;
        told[i] = outcomes[i] == Outcome.FOUND.code();
      }
      assertThat(found).isEqualTo(expected);
      assertThat(told).isEqualTo(mask);
      FindCounts all = map.find(Longs.of(keys), Longs.of(found), BulkOptions.NONE);
      assertThat(all.found() + all.absent()).isEqualTo(MANY);
      assertThat(found)
          .isEqualTo(LongStream.of(keys).map(key -> model.getOrDefault(key, 0L)).toArray());
    }
    assertThat(first.launches()).isPositive();
    assertThat(second.launches()).isPositive();
  }

  @Test
  void whatAPredicateLeavesOutIsNotWritten() {
    long[] keys = LongStream.range(0, MANY).toArray();
    long[] found = new long[MANY];
    Arrays.fill(found, -1);
    try (LongLongMap map = map()) {
      InsertCounts counts =
          map.insertAndFind(
              Longs.of(keys), Longs.of(keys), Longs.of(found), BulkOptions.NONE.where(new Odd()));
      assertThat(counts.inserted()).isEqualTo(MANY / 2);
      assertThat(found)
          .isEqualTo(LongStream.of(keys).map(key -> key % 2 == 0 ? -1 : key).toArray());
      long[] some = new long[MANY];
      assertThat(map.retrieveIf(some, new long[MANY], new Odd())).isEqualTo(MANY / 2);
      assertThatThrownBy(() -> map.retrieveAll(new long[7], new long[7]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Any operations with moves, compared with a map of the JDK's. */
  @Test
  void anySequenceOfOperationsIsThatOfAHashMap() {
    try (JvmLauncher alone = JvmLauncher.ofWorkers(2)) {
      for (int seed = 0; seed < 6; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Long> model = new HashMap<>();
        LongLongMap map = LongLongMap.builder().launcher(group).seed(seed).build();
        try {
          for (int step = 0; step < 25; step++) {
            map = step(random, map, model, alone);
            assertThat(map.size()).as("seed %d, step %d", seed, step).isEqualTo(model.size());
            assertThat(entries(map)).as("seed %d, step %d", seed, step).isEqualTo(model);
          }
        } finally {
          map.close();
        }
      }
    }
  }

  private LongLongMap step(
      SplittableRandom random, LongLongMap map, Map<Long, Long> model, Launcher alone) {
    switch (random.nextInt(9)) {
      case 0 -> map.runOn(alone);
      case 1 -> map.runOn(group);
      case 2 -> {
        map.save(folder.resolve("map"));
        map.close();
        return LongLongMap.builder().launcher(group).load(folder.resolve("map"));
      }
      case 3 -> map.rehash(model.size() + random.nextLong(1_000));
      case 4 -> {
        if (random.nextInt(3) == 0) {
          map.clear();
          model.clear();
        }
      }
      case 5 -> {
        long key = random.nextLong(100);
        assertThat(map.merge(key, 2, Apply.ADD)).isEqualTo(model.merge(key, 2L, Long::sum));
        assertThat(map.putIfAbsent(key + 1, 7).isPresent()).isEqualTo(model.containsKey(key + 1));
        model.putIfAbsent(key + 1, 7L);
        assertThat(map.get(key + 1).getAsLong()).isEqualTo(model.get(key + 1));
        assertThat(map.get(-5)).isEmpty();
      }
      default -> {
        long[] keys = random.longs(random.nextInt(1, 9_000), 0, 5_000).toArray();
        long[] ones = LongStream.generate(() -> 1).limit(keys.length).toArray();
        map.insertOrApply(keys, ones, Apply.ADD);
        LongStream.of(keys).forEach(key -> model.merge(key, 1L, Long::sum));
      }
    }
    return map;
  }

  @Test
  void textsAreSpreadToo() {
    List<String> words = IntStream.range(0, 3_000).mapToObj(i -> "a rather long key " + i).toList();
    long[] values = LongStream.range(0, 3_000).toArray();
    long[] found = new long[3_000];
    try (TextLongMap map = TextLongMap.builder().launcher(group).build();
        JvmLauncher alone = JvmLauncher.ofWorkers(1)) {
      for (int round = 0; round < 3; round++) {
        map.insert(words, values);
        assertThat(map.find(words, found).found()).isEqualTo(3_000);
        assertThat(found).isEqualTo(values);
        assertThat(map.size()).isEqualTo(3_000);
        assertThat(map.get("a rather long key 77")).hasValue(77);
        map.runOn(round == 0 ? alone : group);
      }
      map.save(folder.resolve("texts"));
    }
    try (TextLongMap map = TextLongMap.builder().launcher(group).load(folder.resolve("texts"))) {
      Map<String, Long> entries = new HashMap<>();
      map.forEach(entries::put);
      assertThat(entries).hasSize(3_000).containsEntry(words.get(9), 9L);
    }
  }

  @Test
  void aVisitorSeesAllEntriesAndWhatItWrites() {
    long[] keys = LongStream.range(0, MANY).toArray();
    try (LongLongMap map = map();
        Memory sum = Memory.ofLongs(1)) {
      map.insert(keys, keys);
      map.visit(new SumUp(DeviceLongs.of(sum)));
      assertThat(DeviceLongs.of(sum).get(0)).isEqualTo(LongStream.of(keys).sum());
    }
  }

  /** What one part inserted is there and said; the rest was not tried. */
  @Test
  void aPartThatFailsIsNamedAndItsKeysAreSkipped() {
    long[] keys = LongStream.range(0, MANY).toArray();
    byte[] outcomes = new byte[MANY];
    try (LongLongMap map = LongLongMap.builder().launcher(group).capacity(MANY).build()) {
      second.failAfter(0);
      GroupLaunchException failure =
          catchThrowableOfType(
              GroupLaunchException.class,
              () ->
                  map.insert(Longs.of(keys), Longs.of(keys), BulkOptions.NONE.outcomes(outcomes)));
      assertThat(failure.part()).isEqualTo(1);
      second.failAfter(Integer.MAX_VALUE / 2);
      Map<Long, Long> there = entries(map);
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(there.size(), 0, 0));
      assertThat(failure)
          .hasMessageContaining("part 1 of a group from 0 to 1")
          .hasMessageContaining("%d of %d keys are known to be done", there.size(), MANY)
          .message()
          .containsOnlyOnce("known to be done");
      assertThat(map.size()).isEqualTo(there.size()).isLessThan(MANY);
      byte[] expected = new byte[MANY];
      for (int i = 0; i < MANY; i++) {
        Outcome told = there.containsKey(keys[i]) ? Outcome.INSERTED : Outcome.SKIPPED;
        expected[i] = told.code();
      }
      assertThat(outcomes).isEqualTo(expected);
    }
  }

  @Test
  void aMoveThatFailsLeavesTheMapWhereItWas() {
    long[] keys = LongStream.range(0, MANY).toArray();
    try (LongLongMap map = LongLongMap.builder().workers(2).build()) {
      map.insert(keys, keys);
      second.failAfter(0);
      assertThatThrownBy(() -> map.runOn(group)).isInstanceOf(GroupLaunchException.class);
      assertThat(map.size()).isEqualTo(MANY);
      assertThat(map.put(5, 6)).hasValue(5);
    }
  }

  /** A group that does something whenever a map asks for its parts, as in the middle of a move. */
  private static final class Asked extends ForwardingLauncher {
    private final Runnable asked;

    Asked(Launcher group, Runnable asked) {
      super(group);
      this.asked = asked;
    }

    @Override
    public List<Launcher> parts() {
      asked.run();
      return launcher.parts();
    }

    @Override
    public void close() {}
  }

  @Test
  void whoReadsInTheMiddleOfAMoveFindsWhatIsThere() {
    AtomicInteger asked = new AtomicInteger();
    try (LongLongMap map = LongLongMap.create();
        TextLongMap texts = TextLongMap.create()) {
      map.insert(new long[] {5}, new long[] {6});
      assertThat(texts.putIfAbsent("five", 6)).isEmpty();
      map.runOn(
          new Asked(
              group,
              () -> {
                asked.incrementAndGet();
                assertThat(map.get(5)).hasValue(6);
                assertThat(map.size()).isEqualTo(1);
              }));
      texts.runOn(
          new Asked(
              group,
              () -> {
                asked.incrementAndGet();
                assertThat(texts.get("five")).hasValue(6);
                assertThat(texts.size()).isEqualTo(1);
              }));
    }
    assertThat(asked).hasPositiveValue();
  }

  /** Tables of the parts have the seed of the map's, by whose hashes the walk goes. */
  @Test
  void anIteratorGoesOnWhereTheMapWasMovedToAGroupAndBack() {
    Path file = folder.resolve("map");
    long[] keys = new SplittableRandom(5).longs(3_000).distinct().toArray();
    try (LongLongMap map = LongLongMap.create()) {
      map.insert(keys, keys);
      map.save(file);
    }
    Set<Long> met = new HashSet<>();
    try (LongLongMap map = LongLongMap.load(file);
        JvmLauncher alone = JvmLauncher.ofWorkers(2)) {
      var entries = map.asMap().entrySet().iterator();
      assertThat(met.add(entries.next().getKey())).isTrue();
      map.runOn(group).runOn(alone);
      while (entries.hasNext()) {
        assertThat(met.add(entries.next().getKey())).isTrue();
      }
    }
    assertThat(met.size()).isEqualTo(keys.length);
  }

  /** Elements of which a part is asked for before a part of the group writes its own. */
  private static final class Hooked extends Longs {
    private final Longs elements;
    private final Runnable asked;

    Hooked(Longs elements, Runnable asked) {
      super(elements.length());
      this.elements = elements;
      this.asked = asked;
    }

    @Override
    public Longs part(long from, long count) {
      asked.run();
      return elements.part(from, count);
    }
  }

  @Test
  void allEntriesAreRetrievedAsTheyAreAtOneTime() throws InterruptedException {
    long[] keys = LongStream.range(0, 1_000).toArray();
    LongStream later = LongStream.range(1_000, 1_500);
    Longs out = Longs.of(new long[2_000]);
    AtomicInteger asked = new AtomicInteger();
    Launcher devices =
        LauncherGroup.of(
            List.of(
                ForwardingLauncher.borrowedAsDevice(first),
                ForwardingLauncher.borrowedAsDevice(second)));
    try (LongLongMap map = LongLongMap.builder().launcher(devices).build()) {
      map.insert(keys, keys);
      Thread inserting =
          new Thread(() -> later.forEach(key -> assertThat(map.putIfAbsent(key, key)).isEmpty()));
      Runnable beforeTheSecond =
          () -> {
            if (asked.incrementAndGet() == 2) {
              inserting.start();
              Others.await(() -> !inserting.isAlive() || Others.waits(inserting));
            }
          };
      assertThat(map.retrieveAll(new Hooked(out, beforeTheSecond), out)).isIn(1_000L, 1_500L);
      inserting.join();
      assertThat(asked).hasValueGreaterThan(1);
      assertThat(map.size()).isEqualTo(1_500);
    }
  }

  @Test
  void mapsOfRecordsAreSpreadToo() {
    int n = 40_000;
    int[] ones = IntStream.range(0, n).map(i -> i % 7).toArray();
    int[] others = IntStream.range(0, n).toArray();
    long[] numbers = LongStream.range(0, n).toArray();
    double[] halves = LongStream.of(numbers).mapToDouble(i -> i / 2.0).toArray();
    Columns pairs = Columns.ints(ones, others);
    Columns values = Columns.longs(numbers).and(Columns.doubles(halves));
    var packed = RecordSchema.of(Pair.class, Amount.class);
    var rows = RecordSchema.of(Pair.class, Both.class);
    try (var map = RecordMap.builder(packed).launcher(group).build();
        var wide = RecordMap.builder(rows).workers(1).build();
        JvmLauncher alone = JvmLauncher.ofWorkers(1)) {
      map.insert(pairs, Columns.longs(numbers));
      wide.insert(pairs, values);
      for (int round = 0; round < 3; round++) {
        wide.runOn(round == 1 ? alone : group);
        double[] found = new double[n];
        assertThat(wide.find(pairs, Columns.longs(new long[n]).and(Columns.doubles(found))).found())
            .isEqualTo(n);
        assertThat(found).isEqualTo(halves);
        assertThat(wide.size()).isEqualTo(n);
        assertThat(wide.get(new Pair(3, 10))).contains(new Both(10, 5));
        Map<Pair, Both> entries = new HashMap<>();
        wide.forEach((key, value) -> assertThat(entries.put(key, value)).isNull());
        assertThat(entries).hasSize(n);
      }
      map.save(folder.resolve("packed"));
      wide.save(folder.resolve("rows"));
    }
    assertThat(first.launches()).isPositive();
    assertThat(second.launches()).isPositive();
    try (var map = RecordMap.builder(packed).launcher(group).load(folder.resolve("packed"));
        var wide = RecordMap.builder(rows).launcher(group).load(folder.resolve("rows"))) {
      assertThat(map.get(new Pair(2, 9))).contains(new Amount(9));
      assertThat(wide.get(new Pair(2, 9))).contains(new Both(9, 4.5));
      assertThat(wide.size()).isEqualTo(n);
    }
  }

  record Both(long number, double half) {}

  record Pair(int one, int other) {}

  record Amount(long number) {}

  @Test
  void whatAGroupCannotDoIsRefused() {
    LaunchShape shape = LaunchShape.ofThreads(1);
    try (LongLongMap map = map();
        Memory onDevice = Memory.ofLongs(1)) {
      Longs there = Longs.onDevice(onDevice, 1);
      assertThatThrownBy(() -> map.insert(there, there, BulkOptions.NONE))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("runOn");
      map.insert(new long[] {1}, new long[] {2});
      assertThatThrownBy(() -> map.launch(Nothing::new, shape))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("runOn");
      assertThatThrownBy(() -> map.put(1, 3)).isInstanceOf(UnsupportedOperationException.class);
      map.runOn(second);
      map.launch(Nothing::new, shape);
      assertThat(map.put(1, 3)).hasValue(2);
    }
    LongLongMap closed = map();
    closed.close();
    assertThatThrownBy(closed::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> closed.insert(new long[2], new long[2]))
        .isInstanceOf(ClosedException.class);
  }

  /** What waits for its turn behind a move finds the keys where they are then. */
  @Test
  void whatComesBehindAMoveToAGroupIsDoneThere() {
    long[] keys = LongStream.range(0, 1_000).toArray();
    for (Consumer<LongLongMap> change :
        List.<Consumer<LongLongMap>>of(LongLongMap::clear, map -> map.rehash(50_000))) {
      try (Memory asked = Memory.ofInts(1);
          LongLongMap map = LongLongMap.builder().workers(1).build()) {
        DeviceInts flag = DeviceInts.of(asked);
        var _ = map.insert(keys, keys);
        CompletableFuture<Void> merge = Others.start(() -> map.merge(7, 1, new Waiting(flag)));
        Others.await(() -> flag.loadAcquire(0) == 1);
        Thread move = Thread.ofPlatform().daemon().start(() -> map.runOn(group));
        Others.await(() -> Others.waits(move));
        Thread behind = Thread.ofPlatform().daemon().start(() -> change.accept(map));
        Others.await(() -> Others.waits(behind));
        flag.storeRelease(0, 2);
        flag.wakeAll(0);
        Others.await(() -> merge.isDone() && !move.isAlive() && !behind.isAlive());
        boolean cleared = map.size() == 0;
        assertThat(cleared || map.capacity() >= 50_000).isTrue();
        assertThat(map.find(keys, new long[keys.length]).found())
            .isEqualTo(cleared ? 0 : keys.length);
      }
    }
  }
}
