package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.StaleRefException;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.launch.LaunchedKernels.CountByValue;
import dev.gyre.structures.launch.LaunchedKernels.Entries;
import dev.gyre.structures.launch.LaunchedKernels.InsertAndFind;
import dev.gyre.structures.launch.LaunchedKernels.InsertEach;
import dev.gyre.structures.launch.LaunchedKernels.IntEntries;
import dev.gyre.structures.launch.LaunchedKernels.IntKeys;
import dev.gyre.structures.launch.LaunchedKernels.LongEntries;
import dev.gyre.structures.launch.LaunchedKernels.LongKeys;
import dev.gyre.structures.launch.LaunchedKernels.Sum;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.MapFullException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of users work on maps and sets of all kinds and layouts, on every target. */
@ConformanceSuite
class LaunchedMapsTest {

  /** A kernel runs on one device. */
  @BeforeEach
  void isNoGroup() {
    TargetUnderTest.assumeAlone();
  }

  private static final int ITEMS = 20_000;

  /** A map or set that kernels see as {@link Entries}. */
  interface Subject extends AutoCloseable {
    void launch(Function<Entries, Kernel> kernel, LaunchShape shape);

    void launchUntilDone(Function<Entries, Kernel> kernel, LaunchShape shape);

    Map<Long, Long> content();

    long size();

    Subject saved(Path file);

    @Override
    void close();
  }

  /** A kind of map or set, and whether it has values. */
  record Kind(String name, boolean hasValues, Maker maker) {
    @Override
    public String toString() {
      return name;
    }

    Subject grown(Launcher launcher) {
      return maker.make(launcher, 16, false);
    }

    Subject fixed(Launcher launcher, int capacity) {
      return maker.make(launcher, capacity, true);
    }
  }

  interface Maker {
    Subject make(Launcher launcher, int capacity, boolean fixed);
  }

  private static <M> MapBuilder<M> with(
      MapBuilder<M> builder, Launcher launcher, int capacity, boolean fixed) {
    builder.launcher(launcher);
    return fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity);
  }

  private record Longs(LongLongMap map) implements Subject {
    @Override
    public void launch(Function<Entries, Kernel> kernel, LaunchShape shape) {
      map.launch(ref -> kernel.apply(new LongEntries(ref)), shape);
    }

    @Override
    public void launchUntilDone(Function<Entries, Kernel> kernel, LaunchShape shape) {
      map.launchUntilDone(ref -> kernel.apply(new LongEntries(ref)), shape);
    }

    @Override
    public Map<Long, Long> content() {
      Map<Long, Long> all = new HashMap<>();
      map.forEach((key, value) -> assertThat(all.put(key, value)).isNull());
      return all;
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public Subject saved(Path file) {
      map.save(file);
      return new Longs(LongLongMap.load(file));
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Ints(IntIntMap map) implements Subject {
    @Override
    public void launch(Function<Entries, Kernel> kernel, LaunchShape shape) {
      map.launch(ref -> kernel.apply(new IntEntries(ref)), shape);
    }

    @Override
    public void launchUntilDone(Function<Entries, Kernel> kernel, LaunchShape shape) {
      map.launchUntilDone(ref -> kernel.apply(new IntEntries(ref)), shape);
    }

    @Override
    public Map<Long, Long> content() {
      Map<Long, Long> all = new HashMap<>();
      map.forEach((key, value) -> assertThat(all.put((long) key, (long) value)).isNull());
      return all;
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public Subject saved(Path file) {
      map.save(file);
      return new Ints(IntIntMap.load(file));
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record SetOfLongs(LongSet set) implements Subject {
    @Override
    public void launch(Function<Entries, Kernel> kernel, LaunchShape shape) {
      set.launch(ref -> kernel.apply(new LongKeys(ref)), shape);
    }

    @Override
    public void launchUntilDone(Function<Entries, Kernel> kernel, LaunchShape shape) {
      set.launchUntilDone(ref -> kernel.apply(new LongKeys(ref)), shape);
    }

    @Override
    public Map<Long, Long> content() {
      Map<Long, Long> all = new HashMap<>();
      set.forEach(key -> assertThat(all.put(key, 0L)).isNull());
      return all;
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public Subject saved(Path file) {
      set.save(file);
      return new SetOfLongs(LongSet.load(file));
    }

    @Override
    public void close() {
      set.close();
    }
  }

  private record SetOfInts(IntSet set) implements Subject {
    @Override
    public void launch(Function<Entries, Kernel> kernel, LaunchShape shape) {
      set.launch(ref -> kernel.apply(new IntKeys(ref)), shape);
    }

    @Override
    public void launchUntilDone(Function<Entries, Kernel> kernel, LaunchShape shape) {
      set.launchUntilDone(ref -> kernel.apply(new IntKeys(ref)), shape);
    }

    @Override
    public Map<Long, Long> content() {
      Map<Long, Long> all = new HashMap<>();
      set.forEach(key -> assertThat(all.put((long) key, 0L)).isNull());
      return all;
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public Subject saved(Path file) {
      set.save(file);
      return new SetOfInts(IntSet.load(file));
    }

    @Override
    public void close() {
      set.close();
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(
            Stream.of(Layout.REFERENCE, Layout.LINE)
                .map(
                    layout ->
                        new Kind(
                            "longs " + layout,
                            true,
                            (launcher, capacity, fixed) ->
                                new Longs(
                                    with(LongLongMap.builder(), launcher, capacity, fixed)
                                        .layout(layout)
                                        .build()))),
            Stream.of(
                new Kind(
                    "longs that defer",
                    true,
                    (launcher, capacity, fixed) ->
                        new Longs(
                            with(LongLongMap.builder(), launcher, capacity, fixed)
                                .waiting(Waiting.DEFERRED)
                                .build()))),
            Stream.of(Layout.REFERENCE, Layout.PACKED)
                .map(
                    layout ->
                        new Kind(
                            "ints " + layout,
                            true,
                            (launcher, capacity, fixed) ->
                                new Ints(
                                    with(IntIntMap.builder(), launcher, capacity, fixed)
                                        .layout(layout)
                                        .build()))),
            Stream.of(
                new Kind(
                    "set of longs",
                    false,
                    (launcher, capacity, fixed) ->
                        new SetOfLongs(with(LongSet.builder(), launcher, capacity, fixed).build())),
                new Kind(
                    "set of ints",
                    false,
                    (launcher, capacity, fixed) ->
                        new SetOfInts(with(IntSet.builder(), launcher, capacity, fixed).build()))))
        .flatMap(s -> s);
  }

  /** Keys of which many are equal, and some special. */
  private static long[] keys(int count, int distinct) {
    SplittableRandom random = new SplittableRandom(count);
    long[] keys = random.longs(count, -distinct / 2, distinct / 2).toArray();
    keys[0] = Integer.MIN_VALUE;
    keys[1] = Integer.MAX_VALUE;
    keys[2] = Integer.MIN_VALUE;
    return keys;
  }

  private static Map<Long, Long> merged(long[] keys, long[] values, int policy) {
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      expected.merge(
          keys[i],
          values[i],
          (a, b) ->
              switch (policy) {
                case MapCodes.ADD -> a + b;
                case MapCodes.MIN -> Math.min(a, b);
                default -> Math.max(a, b);
              });
    }
    return expected;
  }

  /** From sixteen keys to many, by growth between launches: each item is merged once. */
  @ParameterizedTest
  @MethodSource("kinds")
  void valuesAreMergedOnceThoughTheMapGrows(Kind kind, @TempDir Path folder) {
    long[] keys = keys(ITEMS, ITEMS / 4);
    long[] values = new SplittableRandom(1).longs(ITEMS, -100, 100).toArray();
    for (int policy : new int[] {MapCodes.ADD, MapCodes.MIN, MapCodes.MAX}) {
      Map<Long, Long> expected = merged(keys, values, policy);
      if (!kind.hasValues) {
        expected.replaceAll((_, _) -> 0L);
      }
      try (Inputs in = new Inputs();
          Subject map = kind.grown(in.launcher())) {
        DeviceLongs allKeys = in.longs(keys);
        DeviceLongs allValues = in.longs(values);
        OpenItems open = in.open(ITEMS);
        map.launchUntilDone(
            ref -> new Sum(ref, open, allKeys, allValues, ITEMS, policy), in.shape(ITEMS));
        assertThat(map.content()).isEqualTo(expected);
        assertThat(map.size()).isEqualTo(expected.size());
        // All is done: nothing is done again.
        map.launchUntilDone(
            ref -> new Sum(ref, open, allKeys, allValues, ITEMS, policy), in.shape(ITEMS));
        assertThat(map.content()).isEqualTo(expected);
        try (Subject loaded = map.saved(folder.resolve("map " + policy))) {
          assertThat(loaded.content()).isEqualTo(expected);
          assertThat(loaded.size()).isEqualTo(expected.size());
        }
      }
    }
  }

  /** Of a fixed capacity all is used, and no more; the keys that found no room are FULL. */
  @ParameterizedTest
  @MethodSource("kinds")
  void thereIsAsMuchRoomAsTheCapacity(Kind kind) {
    int capacity = 1_000;
    long[] keys = LongStream.range(0, 2L * capacity).map(i -> i - capacity).toArray();
    try (Inputs in = new Inputs();
        Subject map = kind.fixed(in.launcher(), capacity)) {
      DeviceLongs all = in.longs(keys);
      DeviceInts outcomes = in.ints(keys.length);
      int[] codes =
          in.settled(
              () ->
                  map.launch(
                      ref -> new InsertEach(ref, all, outcomes, keys.length),
                      in.shape(keys.length)),
              outcomes);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.INSERTED)).hasSize(capacity);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.FULL)).hasSize(capacity);
      assertThat(map.size()).isEqualTo(capacity);
      Map<Long, Long> content = map.content();
      for (int i = 0; i < codes.length; i++) {
        assertThat(content.containsKey(keys[i])).isEqualTo(codes[i] == MapCodes.INSERTED);
      }
      OpenItems open = in.open(keys.length);
      assertThatThrownBy(
              () ->
                  map.launchUntilDone(
                      ref -> new Sum(ref, open, all, all, keys.length, MapCodes.ASSIGN),
                      in.shape(keys.length)))
          .isInstanceOf(MapFullException.class);
      assertThat(map.size()).isEqualTo(capacity);
    }
  }

  static Stream<Kind> twoKinds() {
    return kinds().filter(kind -> Set.of("longs REFERENCE", "ints PACKED").contains(kind.name));
  }

  /** More room than one stripe of counters has. */
  @ParameterizedTest
  @MethodSource("twoKinds")
  void muchRoomIsUsedUpToo(Kind kind) {
    int capacity = 70_000;
    long[] keys = LongStream.range(0, capacity + 500).toArray();
    try (Inputs in = new Inputs();
        Subject map = kind.fixed(in.launcher(), capacity)) {
      DeviceLongs all = in.longs(keys);
      DeviceInts outcomes = in.ints(keys.length);
      int[] codes =
          in.settled(
              () ->
                  map.launch(
                      ref -> new InsertEach(ref, all, outcomes, keys.length),
                      in.shape(keys.length)),
              outcomes);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.INSERTED)).hasSize(capacity);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.FULL)).hasSize(500);
      assertThat(map.size()).isEqualTo(capacity);
    }
  }

  /** Equal keys are inserted by one thread each; a thread finds what it inserted. */
  @ParameterizedTest
  @MethodSource("kinds")
  void keysAreInsertedAndFoundSideBySide(Kind kind) {
    long[] keys = LongStream.range(0, ITEMS).map(i -> i / 2).toArray();
    try (Inputs in = new Inputs();
        Subject map = kind.fixed(in.launcher(), ITEMS)) {
      DeviceLongs all = in.longs(keys);
      DeviceInts outcomes = in.ints(ITEMS);
      DeviceInts wrong = in.ints(ITEMS);
      OpenItems open = in.open(ITEMS);
      map.launchUntilDone(
          ref -> new InsertAndFind(ref, open, all, outcomes, wrong, ITEMS), in.shape(ITEMS));
      int[] codes = in.read(outcomes);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.INSERTED)).hasSize(ITEMS / 2);
      assertThat(Arrays.stream(codes).filter(c -> c == MapCodes.PRESENT)).hasSize(ITEMS / 2);
      for (int seen : in.read(wrong)) {
        assertThat(seen % 16).as("the own value").isZero();
        assertThat(seen / 16 % 16).isEqualTo(MapCodes.ABSENT);
        assertThat(seen / 256).isIn((int) MapCodes.FOUND, (int) MapCodes.ABSENT);
      }
      Map<Long, Long> expected = new HashMap<>();
      LongStream.of(keys).forEach(k -> expected.put(k, kind.hasValues ? k + 1 : 0));
      assertThat(map.content()).isEqualTo(expected);
    }
  }

  /** A probe of one map and a merge into another, in one kernel. */
  @Test
  void oneKernelWorksOnTwoMaps() {
    long[] keys = LongStream.range(0, ITEMS).toArray();
    long[] groups = LongStream.of(keys).map(k -> k % 100).toArray();
    try (Inputs in = new Inputs();
        LongLongMap grouped = LongLongMap.builder().launcher(in.launcher()).build();
        LongLongMap counts = LongLongMap.builder().launcher(in.launcher()).capacity(4).build()) {
      assertThat(grouped.insert(keys, groups).inserted()).isEqualTo(ITEMS);
      DeviceLongs asked = in.longs(LongStream.range(0, ITEMS).map(i -> 2 * i).toArray());
      OpenItems open = in.open(ITEMS);
      Launches.with(grouped, counts)
          .launchUntilDone((g, c) -> new CountByValue(g, c, open, asked, ITEMS), in.shape(ITEMS));
      assertThat(counts.size()).isEqualTo(50);
      counts.forEach((_, count) -> assertThat(count).isEqualTo(ITEMS / 100));
      assertThat(grouped.size()).isEqualTo(ITEMS);
    }
  }

  /** Whatever way a ref is used again, the kernel is refused before a thread of it runs. */
  @Test
  void aRefOfAnotherLaunchIsRefused() {
    try (Inputs in = new Inputs();
        LongLongMap map = LongLongMap.builder().launcher(in.launcher()).build();
        LongLongMap other = LongLongMap.builder().launcher(in.launcher()).build()) {
      DeviceLongs keys = in.longs(1, 2, 3);
      DeviceInts outcomes = in.ints(3);
      LongMapRef[] kept = new LongMapRef[1];
      map.launch(
          ref -> {
            kept[0] = ref;
            return new InsertEach(new LongEntries(ref), keys, outcomes, 1);
          },
          in.shape(1));
      assertThat(map.size()).isEqualTo(1);
      Kernel stale = new InsertEach(new LongEntries(kept[0]), keys, outcomes, 3);
      assertThatThrownBy(() -> in.launcher().run(stale, in.shape(3)))
          .isInstanceOf(StaleRefException.class)
          .hasMessageContaining("map.map.table")
          .hasMessageContaining("launch(ref -> kernel, shape)");
      assertThatThrownBy(() -> map.launch(_ -> stale, in.shape(3)))
          .isInstanceOf(StaleRefException.class);
      assertThatThrownBy(() -> other.launch(_ -> stale, in.shape(3)))
          .isInstanceOf(StaleRefException.class);
      assertThatThrownBy(
              () ->
                  map.launch(
                      ref -> {
                        Kernel now = new InsertEach(new LongEntries(ref), keys, outcomes, 3);
                        in.launcher().run(now, in.shape(3));
                        return now;
                      },
                      in.shape(3)))
          .isInstanceOf(StaleRefException.class);
      assertThat(map.size()).isEqualTo(1);
      // Nothing is held any more.
      assertThat(map.putIfAbsent(2, 2)).isEmpty();
      map.rehash(100);
      assertThatThrownBy(() -> in.launcher().run(stale, in.shape(3)))
          .isInstanceOf(StaleRefException.class);
      assertThat(map.size()).isEqualTo(2);
    }
  }
}
