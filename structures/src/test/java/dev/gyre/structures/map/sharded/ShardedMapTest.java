package dev.gyre.structures.map.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.ClosedException;
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
import dev.gyre.structures.FailingPart;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntLongMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sharded maps of longs on launchers that count launches, and fail. */
@Timeout(60)
class ShardedMapTest {

  /** So many that each shard has several steps to do, which it launches. */
  private static final int MANY = 200_000;

  private final FailingPart first = new FailingPart();
  private final FailingPart second = new FailingPart();
  private final Launcher group = LauncherGroup.of(List.of(first, second));

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void otherTypesRefuseGroupsAndNameAShardedOne() {
    assertRefused("IntIntMap", "ShardedIntMap", IntIntMap.builder().launcher(group)::build);
    assertRefused("LongLongMap", "ShardedLongMap", LongLongMap.builder().launcher(group)::build);
    assertRefused("IntLongMap", "ShardedLongMap", IntLongMap.builder().launcher(group)::build);
    assertRefused("LongIntMap", "ShardedLongMap", LongIntMap.builder().launcher(group)::build);
    assertRefused("TextLongMap", "ShardedTextMap", TextLongMap.builder().launcher(group)::build);
    assertRefused("IntSet", "ShardedIntSet", IntSet.builder().launcher(group)::build);
    assertRefused("LongSet", "ShardedLongSet", LongSet.builder().launcher(group)::build);
    assertRefused("TextSet", "ShardedTextSet", TextSet.builder().launcher(group)::build);
  }

  private static void assertRefused(String name, String sharded, ThrowingCallable build) {
    assertThatThrownBy(build)
        .isInstanceOf(StructureException.class)
        .hasMessage(name + " is for one device: for a group of launchers, make a " + sharded);
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

  private static ShardedLongMap map(Launcher on) {
    return ShardedLongMap.of(on, part -> LongLongMap.builder().launcher(part).build());
  }

  private ShardedLongMap map() {
    return map(group);
  }

  private static Map<Long, Long> entries(ShardedLongMap map) {
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
    try (ShardedLongMap map = map()) {
      InsertCounts counts =
          map.insert(
              Longs.of(keys), Longs.of(values), BulkOptions.NONE.where(mask).outcomes(outcomes));
      assertThat(counts.inserted()).isEqualTo(model.size()).isEqualTo(map.size());
      assertThat(entries(map)).isEqualTo(model);
      // About half of the keys are in each shard.
      assertThat(map.shards()).allMatch(shard -> shard.size() > model.size() / 3);
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
      FindCounts all = map.find(keys, found);
      assertThat(all.found() + all.absent()).isEqualTo(MANY);
      assertThat(found)
          .isEqualTo(LongStream.of(keys).map(key -> model.getOrDefault(key, 0L)).toArray());
    }
    assertThat(first.launches()).isPositive();
    assertThat(second.launches()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsLeftOutIsNotWritten(boolean masked) {
    long[] keys = LongStream.range(0, MANY).toArray();
    boolean[] mask = new boolean[MANY];
    long[] found = new long[MANY];
    long[] expected = new long[MANY];
    long taken = 0;
    for (int i = 0; i < MANY; i++) {
      mask[i] = i % 3 != 0;
      boolean takes = i % 2 != 0 && (!masked || mask[i]);
      taken += takes ? 1 : 0;
      expected[i] = takes ? i : -1;
    }
    BulkOptions odd = BulkOptions.NONE.where(new Odd());
    try (ShardedLongMap map = map()) {
      Arrays.fill(found, -1);
      InsertCounts counts =
          map.insertAndFind(
              Longs.of(keys), Longs.of(keys), Longs.of(found), masked ? odd.where(mask) : odd);
      assertThat(counts.inserted()).isEqualTo(taken).isEqualTo(map.size());
      assertThat(found).isEqualTo(expected);
      Longs some = Longs.of(new long[MANY]);
      assertThat(map.retrieveIf(some, Longs.of(new long[MANY]), new Odd())).isEqualTo(taken);
      Longs few = Longs.of(new long[7]);
      assertThatThrownBy(() -> map.retrieveAll(few, few))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aVisitorSeesAllEntriesAndWhatItWrites() {
    long[] keys = LongStream.range(0, MANY).toArray();
    try (ShardedLongMap map = map();
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
    try (ShardedLongMap map =
        ShardedLongMap.of(group, on -> LongLongMap.builder().launcher(on).capacity(MANY).build())) {
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
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(MANY - there.size());
      second.failAfter(0);
      assertThatThrownBy(() -> map.find(keys, new long[MANY]))
          .isInstanceOfSatisfying(
              GroupLaunchException.class, e -> assertThat(e.part()).isEqualTo(1));
    }
  }

  /** Elements of which a part is asked for before a shard writes its own. */
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
    try (ShardedLongMap map = map(devices)) {
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
  void aShardOfFixedCapacityIsFullByItself() {
    long[] keys = LongStream.range(0, 1_000).toArray();
    byte[] outcomes = new byte[1_000];
    long[] found = new long[1_000];
    try (ShardedLongMap map =
        ShardedLongMap.of(
            group, on -> LongLongMap.builder().launcher(on).fixedCapacity(100).build())) {
      InsertCounts counts =
          map.insert(Longs.of(keys), Longs.of(keys), BulkOptions.NONE.outcomes(outcomes));
      assertThat(counts).isEqualTo(new InsertCounts(200, 0, 800));
      assertThat(map.capacity()).isEqualTo(200).isEqualTo(map.size());
      assertThat(map.insertOrApply(keys, keys, Apply.MAX)).isEqualTo(new InsertCounts(0, 200, 800));
      assertThat(map.find(keys, found).found()).isEqualTo(200);
      for (int i = 0; i < 1_000; i++) {
        assertThat(outcomes[i] == Outcome.FULL.code()).isEqualTo(!map.containsKey(keys[i]));
      }
    }
  }

  @Test
  void aLauncherThatIsAloneHasOneShardOfWhichAllIsAsked() {
    try (JvmLauncher alone = JvmLauncher.ofWorkers(2);
        ShardedLongMap map = map(alone)) {
      assertThat(map.insert(new long[] {1, 2, 1}, new long[] {5, 6, 5}))
          .isEqualTo(new InsertCounts(2, 1, 0));
      assertThat(map.shards()).hasSize(1);
      assertThat(map.get(2)).hasValue(6);
      assertThat(map.put(2, 7)).hasValue(6);
      assertThat(map.async(m -> m.insert(new long[] {3}, new long[1])).join().inserted())
          .isEqualTo(1);
    }
  }

  @Test
  void whatOneDeviceHasIsRefusedAndAKernelRunsOnAShard() {
    LaunchShape shape = LaunchShape.ofThreads(1);
    try (ShardedLongMap map = map();
        Memory onDevice = Memory.ofLongs(1)) {
      Longs there = Longs.onDevice(onDevice, 1);
      assertThatThrownBy(() -> map.insert(there, there, BulkOptions.NONE))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("on one device");
      assertThatThrownBy(() -> map.insert(new long[2], new long[1]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  map.insert(
                      Longs.of(new long[2]),
                      Longs.of(new long[2]),
                      BulkOptions.NONE.where(new boolean[3])))
          .isInstanceOf(IllegalArgumentException.class);
      map.insert(new long[] {1}, new long[] {2});
      map.shards().forEach(shard -> shard.launch(Nothing::new, shape));
      assertThat(map.put(1, 3)).hasValue(2);
    }
    ShardedLongMap closed = map();
    closed.close();
    closed.close();
    assertThatThrownBy(closed::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> closed.insert(new long[2], new long[2]))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void shardsAreClosedIfOneCannotBeMade() {
    int[] made = new int[1];
    LongLongMap[] kept = new LongLongMap[1];
    assertThatThrownBy(
            () ->
                ShardedLongMap.of(
                    group,
                    on -> {
                      if (made[0]++ > 0) {
                        throw new IllegalStateException("it does so for a test");
                      }
                      kept[0] = LongLongMap.builder().launcher(on).build();
                      return kept[0];
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept[0].size()).isInstanceOf(ClosedException.class);
  }
}
