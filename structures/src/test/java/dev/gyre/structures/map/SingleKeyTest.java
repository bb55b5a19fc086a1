package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Kind;
import dev.gyre.structures.map.MapAdapter.Scale;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations on single keys, alone and beside each other and growth. */
@Timeout(180)
class SingleKeyTest {

  private static final int THREADS = 4;

  static List<Kind> kinds() {
    return Kind.layouts();
  }

  private record Sum() implements Fold {
    @Override
    public long apply(long present, long given) {
      return present + given;
    }
  }

  private static void run(Runnable... tasks) {
    ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable task : tasks) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      task.run();
                    } catch (Throwable e) {
                      failed.add(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(failed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void doesWhatTheMapOfTheLibraryDoes(Kind kind) {
    SplittableRandom random = new SplittableRandom(11);
    Map<Long, Long> expected = new HashMap<>();
    try (MapAdapter map = kind.build(1, false)) {
      for (int i = 0; i < 30_000; i++) {
        long key = i % 5 == 0 ? kind.min() : random.nextInt(-3_000, 3_000);
        long value = random.nextInt();
        Long before = expected.get(key);
        switch (random.nextInt(14)) {
          case 0 -> {
            assertThat(map.putIfAbsent(key, value)).isEqualTo(optional(before));
            expected.putIfAbsent(key, value);
          }
          case 6 -> assertThat(map.put(key, value)).isEqualTo(optional(expected.put(key, value)));
          case 7 ->
              assertThat(map.replace(key, value)).isEqualTo(optional(expected.replace(key, value)));
          case 8 -> {
            long old = before == null || random.nextBoolean() ? value + 1 : before;
            assertThat(map.replace(key, kind.wrap(old), value))
                .isEqualTo(expected.replace(key, kind.wrap(old), value));
          }
          case 1 ->
              assertThat(map.merge(key, value, Apply.ADD))
                  .isEqualTo(expected.merge(key, value, (a, b) -> kind.wrap(a + b)));
          case 2 ->
              assertThat(map.merge(key, value, Apply.MIN))
                  .isEqualTo(expected.merge(key, value, Math::min));
          case 3 ->
              assertThat(map.merge(key, value, Apply.MAX))
                  .isEqualTo(expected.merge(key, value, Math::max));
          case 9 ->
              assertThat(map.merge(key, value, Apply.AND))
                  .isEqualTo(expected.merge(key, value, (a, b) -> a & b));
          case 10 ->
              assertThat(map.merge(key, value, Apply.OR))
                  .isEqualTo(expected.merge(key, value, (a, b) -> a | b));
          case 11 ->
              assertThat(map.merge(key, value, Apply.XOR))
                  .isEqualTo(expected.merge(key, value, (a, b) -> a ^ b));
          case 12 -> {
            assertThat(map.merge(key, value, Apply.ASSIGN)).isEqualTo(value);
            expected.put(key, value);
          }
          case 13 ->
              assertThat(map.merge(key, value, Scale.BY_ODD))
                  .isEqualTo(
                      expected.merge(key, value, (a, b) -> kind.wrap(Scale.BY_ODD.apply(a, b))));
          case 4 -> {
            view(map).compute(key, v -> kind.wrap(3 * v + 1));
            expected.compute(key, (_, v) -> kind.wrap(3 * (v == null ? 0 : v) + 1));
          }
          default -> assertThat(map.get(key)).isEqualTo(optional(before));
        }
        assertThat(map.size()).isEqualTo(expected.size());
      }
      Map<Long, Long> walked = new HashMap<>();
      map.forEach((key, value) -> MapAdapter.put(walked, key, value));
      assertThat(walked).isEqualTo(expected);
      Map<Long, Long> viewed = new HashMap<>();
      view(map).forEach(viewed::put);
      assertThat(viewed).isEqualTo(expected);
    }
  }

  private static MapView<?, ?> view(MapAdapter map) {
    return Objects.requireNonNull(map.view());
  }

  /** Rehashes, unless the map has grown since its capacity was asked for, which is as good. */
  private static void rehash(MapAdapter map) {
    try {
      map.rehash(map.capacity());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("too small");
    }
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noAdditionIsLostWhileTheMapGrows(Kind kind) {
    int keys = 5_000;
    int rounds = 6;
    try (MapAdapter map = kind.build(1, false)) {
      AtomicBoolean done = new AtomicBoolean();
      Runnable adder =
          () -> {
            for (int round = 0; round < rounds; round++) {
              for (int key = 0; key < keys; key++) {
                // A user's sum is as atomic as ours.
                long _ =
                    round % 2 == 0 ? map.merge(key, 1, Apply.ADD) : map.merge(key, 1, new Sum());
              }
            }
          };
      Runnable reader =
          () -> {
            long[] last = new long[keys];
            while (!done.get()) {
              for (int key = 0; key < keys; key++) {
                long now = map.get(key).orElse(0);
                assertThat(now).isGreaterThanOrEqualTo(last[key]);
                last[key] = now;
              }
            }
          };
      AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
      Thread reading =
          Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> failed.set(e)).start(reader);
      Runnable all =
          () -> {
            Runnable[] adders = new Runnable[THREADS];
            java.util.Arrays.fill(adders, adder);
            try {
              run(adders);
            } finally {
              done.set(true);
            }
          };
      run(
          all,
          () -> {
            for (int i = 0; i < 100 && !done.get(); i++) {
              rehash(map);
              sleep();
            }
          });
      run(() -> joinQuietly(reading));
      assertThat(failed.get()).isNull();
      assertThat(map.size()).isEqualTo(keys);
      for (int key = 0; key < keys; key++) {
        assertThat(map.get(key)).hasValue((long) THREADS * rounds);
      }
    }
  }

  /** Ours, which asks the thread something, so that a thread of the test can stop there. */
  private record Asking(Hash ours) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Thread.currentThread().isInterrupted() ? 0 : ours.hash(key, seed);
    }
  }

  /**
   * Looks for a key and stops where it is hashed: a table is chosen by then, and nothing of it was
   * read.
   */
  private static final class Looking extends Thread {
    private final FutureTask<Long> look;
    private final AtomicBoolean stops = new AtomicBoolean(true);
    private volatile boolean goesOn;

    private Looking(Callable<Long> look) {
      this.look = new FutureTask<>(look);
    }

    @Override
    public void run() {
      look.run();
    }

    @Override
    public boolean isInterrupted() {
      if (currentThread().equals(this) && stops.compareAndSet(true, false)) {
        Others.await(() -> goesOn);
      }
      return super.isInterrupted();
    }

    /** Does something in the middle of what another thread looks for, which is returned. */
    static Future<Long> meanwhile(Callable<Long> look, Runnable action) {
      Looking looking = new Looking(look);
      looking.start();
      Others.await(() -> !looking.stops.get());
      action.run();
      looking.goesOn = true;
      return looking.look;
    }
  }

  /** Small tables, and such as the system maps: what is freed of them reads differently. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 400_000})
  void aReaderLooksAgainWhereItsTableIsReplacedClearedOrClosedMeanwhile(int capacity)
      throws Exception {
    Memory.expectLargeBlocks();
    for (Layout layout : List.of(Layout.REFERENCE, Layout.LINE)) {
      looksAgain(layout, capacity, map -> map.getOrDefault(7, 0));
      looksAgain(
          layout,
          capacity,
          map -> {
            long[] found = {1};
            var _ = map.find(new long[] {7}, found);
            return found[0];
          });
    }
  }

  private static void looksAgain(Layout layout, int capacity, ToLongFunction<LongLongMap> get)
      throws Exception {
    LongLongMap map =
        LongLongMap.builder()
            .layout(layout)
            .capacity(capacity)
            .hash(new Asking(new Hashing.OfLongs()))
            .build();
    try (map) {
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      Callable<Long> look = () -> get.applyAsLong(map);
      assertThat(Looking.meanwhile(look, () -> map.rehash(capacity)).get()).isEqualTo(8);
      assertThat(
              Looking.meanwhile(
                      look,
                      () -> {
                        map.clear();
                        assertThat(map.putIfAbsent(7, 9)).isEmpty();
                      })
                  .get())
          .isEqualTo(9);
      Future<Long> closed = Looking.meanwhile(look, map::close);
      assertThatThrownBy(closed::get).hasRootCauseInstanceOf(ClosedException.class);
    }
  }

  /**
   * Reads a key again and again beside another thread that clears the map. In each turn it stops
   * twice where the key is hashed: in its first look, which is in vain since the map is cleared
   * meanwhile; and in the second one, which then races with another clear. Who was first in a turn
   * waits a little longer in the next one, so that they come close.
   */
  private static final class Patient extends Thread {
    private static final int TURNS = 2_000;

    private final LongLongMap map;
    private final Set<OptionalLong> found = ConcurrentHashMap.newKeySet();
    private volatile int at;
    private volatile int goOn;
    private volatile int handicap;
    private int turn;
    private int looks;

    private Patient(LongLongMap map) {
      this.map = map;
    }

    @Override
    public void run() {
      for (turn = 0; turn < TURNS; turn++) {
        looks = 0;
        OptionalLong value = map.get(7);
        found.add(value);
        handicap = Math.clamp(handicap + (value.isPresent() ? 1L : -1L), -500, 500);
        stop(3);
      }
    }

    @Override
    public boolean isInterrupted() {
      if (currentThread().equals(this) && looks < 2) {
        looks++;
        stop(looks);
        pause(looks == 2 ? handicap : 0);
      }
      return super.isInterrupted();
    }

    private void stop(int place) {
      at = 3 * turn + place;
      await(() -> goOn >= at);
    }

    /** Has it go on from each place of a turn. */
    private void lead(int turn) {
      await(() -> at == 3 * turn + 1);
      map.clear();
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      goOn = at;
      await(() -> at == 3 * turn + 2);
      goOn = at;
      pause(-handicap);
      map.clear();
      await(() -> at == 3 * turn + 3);
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      goOn = at;
    }

    private static void pause(int steps) {
      for (int i = 0; i < steps; i++) {
        VarHandle.fullFence();
      }
    }

    /** Both are to go on at once, so they look for long before they leave the processor. */
    private static void await(BooleanSupplier isSo) {
      for (int i = 0; i < 20_000 && !isSo.getAsBoolean(); i++) {
        Thread.onSpinWait();
      }
      Others.await(isSo);
    }
  }

  @Test
  void aReaderThatLooksAgainSeesThatTheMapIsClearedOnceMore() {
    try (LongLongMap map =
        LongLongMap.builder()
            .layout(Layout.LINE)
            .capacity(64)
            .hash(new Asking(new Hashing.OfLongs()))
            .build()) {
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      Patient reader = new Patient(map);
      reader.setDaemon(true);
      reader.start();
      for (int turn = 0; turn < Patient.TURNS; turn++) {
        reader.lead(turn);
      }
      joinQuietly(reader);
      assertThat(reader.found).isSubsetOf(OptionalLong.empty(), OptionalLong.of(8));
    }
  }

  /** Growth goes before updates: without a pause these would hardly get on. */
  private static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void joinQuietly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void walksOverEachKeyOnceWhileTheMapGrows(Kind kind) {
    int before = 20_000;
    try (MapAdapter map = kind.build(64, false)) {
      for (int key = 0; key < before; key++) {
        map.putIfAbsent(key, key);
      }
      AtomicLong next = new AtomicLong(before);
      Map<Long, Long> walked = new HashMap<>();
      map.forEach(
          (key, value) -> {
            MapAdapter.put(walked, key, value);
            for (int i = 0; i < 4; i++) {
              long added = next.getAndIncrement();
              map.putIfAbsent(added, added);
            }
          });
      for (long key = 0; key < before; key++) {
        assertThat(walked).containsEntry(key, key);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void readersSeeAllOrNothingOfAKeyWhileTheMapIsCleared(Kind kind) {
    try (MapAdapter map = kind.build(1_000, false)) {
      AtomicBoolean done = new AtomicBoolean();
      run(
          () -> {
            try {
              for (int round = 0; round < 100; round++) {
                for (int key = 1; key < 500; key++) {
                  map.putIfAbsent(key, key);
                }
                map.clear();
              }
            } finally {
              done.set(true);
            }
          },
          () -> {
            while (!done.get()) {
              for (int key = 1; key < 500; key++) {
                assertThat(map.get(key).orElse(key)).isEqualTo(key);
              }
            }
          });
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFullMapOfFixedCapacitySaysSoAndStaysAsItIs(Kind kind) {
    try (MapAdapter map = kind.build(3, true)) {
      for (long key = 1; key <= 3; key++) {
        map.putIfAbsent(key, key);
      }
      assertThatThrownBy(() -> map.merge(4, 1, Apply.ADD)).isInstanceOf(MapFullException.class);
      assertThatThrownBy(() -> map.putIfAbsent(5, 1)).isInstanceOf(MapFullException.class);
      assertThat(map.merge(3, 1, Apply.ADD)).isEqualTo(4);
      assertThat(map.size()).isEqualTo(3);
      assertThat(map.get(4)).isEmpty();
    }
  }

  @Test
  void readersDoNotWaitForGrowth() {
    MapSettings settings =
        new MapSettings(
            new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, false),
            8,
            1,
            null,
            1,
            JvmLauncher.ofWorkers(1),
            true,
            null,
            "");
    try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings)) {
      LongAccess access = new LongAccess(store);
      access.putIfAbsent(1, 2);
      Entry alone = store.lock().enterExclusive();
      // As while another thread grows the map: a reader that waited would wait for ever.
      assertThat(access.get(1)).hasValue(2);
      assertThat(access.walk().next()).isTrue();
      alone.close();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void useAfterCloseIsRefused(Kind kind) {
    MapAdapter map = kind.build(8, false);
    map.putIfAbsent(1, 1);
    map.close();
    assertThatThrownBy(() -> map.get(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.putIfAbsent(1, 1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.merge(1, 1, Apply.ADD)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.forEach((k, v) -> {})).isInstanceOf(ClosedException.class);
  }

  @Test
  void theViewKeepsItsKeys() {
    try (LongLongMap map = LongLongMap.create()) {
      var view = map.asMap();
      view.put(1L, 2L);
      assertThat(view.put(1L, 3L)).isEqualTo(2);
      assertThat(view.replace(1L, 3L, 4L)).isTrue();
      assertThat(view.replace(1L, 3L, 5L)).isFalse();
      assertThat(view.replace(2L, 5L)).isNull();
      assertThat(view).isEqualTo(Map.of(1L, 4L)).hasToString("{1=4}");
      assertThatThrownBy(() -> view.remove(1L)).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> view.merge(1L, 1L, (_, _) -> null))
          .isInstanceOf(UnsupportedOperationException.class);
      view.clear();
      assertThat(view).isEmpty();
    }
  }
}
