package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads of single keys beside a clear or a move to another launcher, and after one that failed. */
class MovedMapTest {

  private static final int KEYS = 1 << 19;

  private static final Runnable NOTHING = () -> {};

  /** The JVM, or a device that is the JVM, with something done first. */
  private static final class Hooked extends ForwardingLauncher {
    private final Runnable beforeReadBack;
    private final Runnable beforeStart;

    Hooked(Launcher launcher, Target target, Runnable beforeReadBack, Runnable beforeStart) {
      super(launcher, new Device(target, "the JVM", 2));
      this.beforeReadBack = beforeReadBack;
      this.beforeStart = beforeStart;
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      beforeStart.run();
      return launcher.start(kernel, shape, mode);
    }

    @Override
    public void readBack(Memory... memories) {
      beforeReadBack.run();
    }
  }

  private static LongLongMap full(Launcher launcher) {
    LongLongMap map = LongLongMap.builder().capacity(KEYS).launcher(launcher).build();
    long[] keys = LongStream.range(0, KEYS).toArray();
    assertThat(map.insert(keys, keys).inserted()).isEqualTo(KEYS);
    return map;
  }

  @Test
  void aCancelledClearIsAWholeOne() {
    boolean[] interrupted = new boolean[1];
    Runnable cancels =
        () -> {
          if (interrupted[0]) {
            throw new LaunchCancelledException("clear", new Device(Target.JVM, "", 2), null);
          }
        };
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        LongLongMap map = full(new Hooked(two, Target.JVM, NOTHING, cancels))) {
      interrupted[0] = true;
      map.clear();
      interrupted[0] = false;
      assertThat(map.size()).isZero();
      assertThat(map.contains(new long[] {1, KEYS - 1}).found()).isZero();
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      assertThat(map.get(7)).hasValue(8);
      assertThat(map.asMap()).hasSize(1).containsEntry(7L, 8L);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // What is tested.
  void aMapThatCouldNotBeMovedIsAsItWas() {
    try (IntIntMap packed = IntIntMap.builder().layout(Layout.PACKED).build();
        TextLongMap texts = TextLongMap.builder().build()) {
      var _ = packed.putIfAbsent(1, 2);
      assertThatThrownBy(() -> packed.runOn(null)).isInstanceOf(NullPointerException.class);
      assertThat(packed.get(1)).hasValue(2);
      assertThat(packed.insert(new int[] {3}, new int[] {4}).inserted()).isEqualTo(1);
      var _ = texts.putIfAbsent("one", 2);
      assertThatThrownBy(() -> texts.runOn(null)).isInstanceOf(NullPointerException.class);
      assertThat(texts.get("one")).hasValue(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void whatCannotBeBroughtBackStays(Target target) {
    boolean[] broken = new boolean[1];
    Runnable fails =
        () -> {
          if (broken[0]) {
            throw new LaunchException("copy", new Device(target, "the JVM", 2), "broken", null);
          }
        };
    try (Launcher jvm = JvmLauncher.ofWorkers(2);
        LongLongMap map =
            LongLongMap.builder().launcher(new Hooked(jvm, target, fails, NOTHING)).build();
        TextLongMap texts =
            TextLongMap.builder().launcher(new Hooked(jvm, target, fails, NOTHING)).build()) {
      var _ = map.putIfAbsent(1, 2);
      var _ = texts.putIfAbsent("one", 2);
      broken[0] = true;
      assertThatThrownBy(() -> map.runOn(jvm)).isInstanceOf(LaunchException.class);
      assertThatThrownBy(() -> texts.runOn(jvm)).isInstanceOf(LaunchException.class);
      broken[0] = false;
      assertThat(map.get(1)).hasValue(2);
      assertThat(texts.get("one")).hasValue(2);
    }
  }

  @Test
  void aKeyIsThereWhileTheMapMoves() {
    AtomicLong seen = new AtomicLong();
    LongLongMap[] map = new LongLongMap[1];
    TextLongMap[] texts = new TextLongMap[1];
    Runnable reads =
        () -> {
          if (texts[0] != null) {
            seen.addAndGet(map[0].getOrDefault(1, 0) + texts[0].get("one").orElse(0));
            map[0].forEach((_, value) -> seen.addAndGet(10 * value));
            texts[0].forEach((_, value) -> seen.addAndGet(10 * value));
          }
        };
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2)) {
      Launcher hooked = new Hooked(jvm, Target.JVM, reads, NOTHING);
      map[0] = LongLongMap.builder().launcher(hooked).build();
      texts[0] = TextLongMap.builder().launcher(hooked).build();
      var _ = map[0].putIfAbsent(1, 1);
      var _ = texts[0].putIfAbsent("one", 1);
      map[0].runOn(jvm);
      texts[0].runOn(jvm);
      assertThat(seen).hasValue(44);
      map[0].close();
      texts[0].close();
    }
  }

  /** A map that is moved in the middle of an insert. */
  record Moved(Consumer<Launcher> runOn, Runnable insert, Runnable close) {}

  private static Moved longs(Launcher launcher) {
    long[] keys = LongStream.range(0, KEYS).toArray();
    LongLongMap map = LongLongMap.builder().capacity(1).launcher(launcher).build();
    return new Moved(
        map::runOn,
        () -> assertThat(map.insert(keys, keys).inserted()).isEqualTo(KEYS),
        map::close);
  }

  private static Moved texts(Launcher launcher) {
    long[] values = LongStream.range(0, KEYS / 16).toArray();
    List<String> keys = LongStream.of(values).mapToObj(value -> "key number " + value).toList();
    TextLongMap map = TextLongMap.builder().capacity(1).launcher(launcher).build();
    return new Moved(
        map::runOn,
        () -> assertThat(map.insert(keys, values).inserted()).isEqualTo(values.length),
        map::close);
  }

  static Stream<Function<Launcher, Moved>> mapsThatGrowAgainAndAgain() {
    return Stream.of(MovedMapTest::longs, MovedMapTest::texts);
  }

  @ParameterizedTest
  @MethodSource("mapsThatGrowAgainAndAgain")
  void anInsertEndsBeforeTheMapMoves(Function<Launcher, Moved> build) {
    for (int round = 0; round < 8; round++) {
      AtomicBoolean moved = new AtomicBoolean();
      AtomicInteger late = new AtomicInteger();
      CompletableFuture<Void> started = new CompletableFuture<>();
      Runnable counts =
          () -> {
            late.addAndGet(moved.get() ? 1 : 0);
            started.complete(null);
          };
      try (JvmLauncher jvm = JvmLauncher.ofWorkers(2)) {
        Moved map = build.apply(new Hooked(jvm, Target.OPENCL, NOTHING, counts));
        CompletableFuture<Void> mover =
            CompletableFuture.runAsync(
                () -> {
                  started.join();
                  map.runOn().accept(jvm);
                  moved.set(true);
                },
                task -> Thread.ofPlatform().start(task));
        map.insert().run();
        mover.join();
        map.close().run();
      }
      assertThat(moved).isTrue();
      assertThat(late).as("launches by the launcher that the map was moved from").hasValue(0);
    }
  }

  @Test
  void aWalkGoesOnWhereTheMapWasMovedToADevice() {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2);
        LongLongMap map = full(jvm)) {
      Launcher device = new Hooked(jvm, Target.OPENCL, NOTHING, NOTHING);
      AtomicLong sum = new AtomicLong();
      map.forEach(
          (key, _) -> {
            if (sum.getAndAdd(key) == 0) {
              map.runOn(device);
            }
          });
      assertThat(sum).hasValue((long) KEYS * (KEYS - 1) / 2);
    }
  }

  /** An operation that looks where the table is, and then has to wait until that was moved. */
  private static <M extends AutoCloseable> void besideAMove(
      MapBuilder<M> builder,
      BiConsumer<M, Launcher> runOn,
      Function<M, Object> operation,
      Object expected)
      throws Exception {
    List<M> map = new ArrayList<>();
    List<Object> results = new ArrayList<>();
    List<Thread> others = new ArrayList<>();
    Runnable begins =
        () -> {
          Thread other =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          results.add(operation.apply(map.getFirst()));
                        } catch (RuntimeException e) {
                          results.add(e);
                        }
                      });
          Others.await(() -> Others.waits(other) || !other.isAlive());
          others.add(other);
        };
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2)) {
      map.add(builder.launcher(new Hooked(jvm, Target.JVM, begins, NOTHING)).build());
      runOn.accept(map.getFirst(), new Hooked(jvm, Target.OPENCL, NOTHING, NOTHING));
      others.getFirst().join();
      map.getFirst().close();
      assertThat(results).isEqualTo(List.of(expected));
    }
  }

  @Test
  @Timeout(60)
  void aSingleKeyGoesInWhereverTheMapIsMovedMeanwhile() throws Exception {
    for (Layout layout : List.of(Layout.REFERENCE, Layout.LINE)) {
      var longs = LongLongMap.builder().layout(layout);
      besideAMove(longs, LongLongMap::runOn, m -> m.merge(1, 2, Apply.ADD), 2L);
      besideAMove(longs, LongLongMap::runOn, m -> m.putIfAbsent(1, 2), OptionalLong.empty());
    }
    for (Layout layout : Layout.values()) {
      var ints = IntIntMap.builder().layout(layout);
      besideAMove(ints, IntIntMap::runOn, m -> m.merge(1, 2, Apply.ADD), 2);
      besideAMove(ints, IntIntMap::runOn, m -> m.putIfAbsent(1, 2), OptionalInt.empty());
    }
    var texts = TextLongMap.builder();
    besideAMove(texts, TextLongMap::runOn, m -> m.merge("one", 2, Apply.ADD), 2L);
    besideAMove(texts, TextLongMap::runOn, m -> m.putIfAbsent("one", 2), OptionalLong.empty());
  }

  /** All of a map's single-key operations beside a thread that moves it to and fro. */
  @Test
  @Timeout(60)
  void singleKeysAndWalksBesideMoves() throws Exception {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2);
        LongLongMap map = LongLongMap.builder().launcher(jvm).build();
        TextLongMap texts = TextLongMap.builder().launcher(jvm).build()) {
      Launcher device = new Hooked(jvm, Target.OPENCL, NOTHING, NOTHING);
      AtomicBoolean done = new AtomicBoolean();
      Thread mover =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      map.runOn(device).runOn(jvm);
                      texts.runOn(device).runOn(jvm);
                    }
                  });
      try {
        for (int i = 1; i <= 2_000; i++) {
          assertThat(map.merge(1, 1, Apply.ADD)).isEqualTo(i);
          assertThat(texts.merge("one", 1, Apply.ADD)).isEqualTo(i);
          assertThat(map.putIfAbsent(1, 7)).hasValue(i);
          assertThat(texts.putIfAbsent("one", 7)).hasValue(i);
          long[] sums = new long[2];
          map.forEach((_, value) -> sums[0] += value);
          texts.forEach((_, value) -> sums[1] += value);
          assertThat(sums).containsOnly(i);
        }
      } finally {
        done.set(true);
        mover.join();
      }
    }
  }
}
