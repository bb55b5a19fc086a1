package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.map.SetAdapter.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that are added one by one and in bulk, beside all that may happen to a set meanwhile. */
@Tag("race")
class SetRacesTest {

  private static final int ADDERS = 3;
  private static final int KEYS = 2_000;
  private static final int CLEARS = 300;

  static Stream<Kind> kinds() {
    return Kind.all();
  }

  /** Adds all keys, one by one or some at a time; returns how many were new. */
  private static long addAll(SetAdapter set, int adder) {
    long added = 0;
    for (int from = 0; from < KEYS; from += 100) {
      if (adder % 2 == 0) {
        for (int key = from; key < from + 100; key++) {
          added += set.add(key) ? 1 : 0;
          assertThat(set.contains(key)).isTrue();
        }
      } else {
        long[] some = LongStream.range(from, from + 100).toArray();
        added += set.addAll(some, BulkOptions.NONE).inserted();
        assertThat(set.containsAll(some, BulkOptions.NONE).absent()).isZero();
      }
    }
    return added;
  }

  /** Has several threads add the same keys while this one does something again and again. */
  private static void beside(SetAdapter set, Runnable other) throws Exception {
    AtomicLong added = new AtomicLong();
    try (ExecutorService threads = Executors.newFixedThreadPool(ADDERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < ADDERS; i++) {
        int adder = i;
        running.add(threads.submit(() -> added.addAndGet(addAll(set, adder))));
      }
      do {
        other.run();
      } while (running.stream().anyMatch(r -> !r.isDone()));
      for (Future<?> adder : running) {
        var _ = adder.get();
      }
    }
    assertThat(added.get()).as("each key was new to one").isEqualTo(KEYS);
    assertThat(set.size()).isEqualTo(KEYS);
    assertThat(set.retrieved())
        .isEqualTo(new HashSet<>(LongStream.range(0, KEYS).boxed().toList()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void growth(Kind kind) throws Exception {
    try (SetAdapter set = kind.make(null, 2, 1, false)) {
      // With room for all, since others may add them before it is the turn of this.
      beside(set, () -> set.rehash(Math.max(KEYS, set.capacity()) + 100));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void walks(Kind kind) throws Exception {
    try (SetAdapter set = kind.make(null, 2, 1, false)) {
      beside(
          set,
          () -> {
            Set<Long> seen = new HashSet<>();
            long before = set.contains(0) ? 0 : -1;
            set.forEach(key -> assertThat(seen.add(key)).as("once").isTrue());
            assertThat(before < 0 || seen.contains(before)).isTrue();
          });
    }
  }

  /** To threads, and to what passes for a device. */
  @ParameterizedTest
  @MethodSource("kinds")
  void copies(Kind kind) throws Exception {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2);
        Launcher device = new ForwardingLauncher(jvm, ForwardingLauncher.deviceOnJvm(1)) {};
        SetAdapter set = kind.make(null, 2, 1, false)) {
      beside(
          set,
          () -> {
            for (Launcher launcher : List.of(jvm, device)) {
              Set<Long> before = new HashSet<>();
              set.forEach(before::add);
              try (SetAdapter copy = kind.type().copy(set, launcher)) {
                assertThat(copy.retrieved()).containsAll(before).hasSize((int) copy.size());
              }
            }
          });
    }
  }

  /**
   * Of the keys of a batch all are there, or none, though few of them are read without the gate.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  void clear(Kind kind) throws Exception {
    long[] keys = LongStream.range(0, 12).map(i -> kind.least() + i).toArray();
    // Odd while all keys are there, or were before a clear that has not ended.
    AtomicLong turns = new AtomicLong();
    try (SetAdapter set = kind.make(null, 2, 1, false);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(() -> readBesideClear(set, keys, turns)));
      }
      for (int round = 0; round < CLEARS; round++) {
        assertThat(set.addAll(keys, BulkOptions.NONE).inserted()).isEqualTo(keys.length);
        turns.incrementAndGet();
        set.clear();
        turns.incrementAndGet();
        assertThat(set.contains(keys[round % keys.length])).isFalse();
      }
      for (Future<?> reader : readers) {
        var _ = reader.get();
      }
      assertThat(set.size()).isZero();
    }
  }

  private static void readBesideClear(SetAdapter set, long[] keys, AtomicLong turns) {
    long before = turns.get();
    while (before < 2 * CLEARS) {
      long found = set.containsAll(keys, BulkOptions.NONE).found();
      boolean first = set.contains(keys[0]);
      if (before % 2 == 1 && turns.get() == before) {
        assertThat(found).isIn(0L, (long) keys.length);
        assertThat(first && found == 0).as("came back").isFalse();
      }
      before = turns.get();
    }
  }

  /** One by one and in bulk there is room for as many keys as there is, to the last. */
  @ParameterizedTest
  @MethodSource("kinds")
  void theLastRoom(Kind kind) throws Exception {
    int capacity = KEYS / 2;
    AtomicLong added = new AtomicLong();
    try (SetAdapter set = kind.make(null, 2, capacity, true);
        ExecutorService threads = Executors.newFixedThreadPool(ADDERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < ADDERS; i++) {
        int adder = i;
        running.add(threads.submit(() -> added.addAndGet(addSome(set, adder, kind.least()))));
      }
      for (Future<?> adder : running) {
        var _ = adder.get();
      }
      assertThat(added.get()).isEqualTo(capacity);
      assertThat(set.size()).isEqualTo(capacity);
      Set<Long> there = set.retrieved();
      assertThat(there).hasSize(capacity);
      for (long key = kind.least(); key < kind.least() + KEYS; key++) {
        assertThat(set.contains(key)).isEqualTo(there.contains(key));
      }
    }
  }

  /** Adds keys that there is room for; returns how many were new. */
  private static long addSome(SetAdapter set, int adder, long least) {
    long added = 0;
    for (long from = least; from < least + KEYS; from += 50) {
      if (adder == 0) {
        added +=
            set.addAll(LongStream.range(from, from + 50).toArray(), BulkOptions.NONE).inserted();
      } else {
        for (long key = from; key < from + 50; key++) {
          added += isAdded(set, key) ? 1 : 0;
        }
      }
    }
    return added;
  }

  private static boolean isAdded(SetAdapter set, long key) {
    try {
      return set.add(key);
    } catch (MapFullException e) {
      assertThat(set.contains(key)).as("where there is no room").isFalse();
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saves(Kind kind, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("set");
    try (SetAdapter set = kind.make(null, 2, 1, false)) {
      beside(
          set,
          () -> {
            boolean first = set.contains(0);
            set.save(file);
            try (SetAdapter saved = kind.load(null, 1, file)) {
              assertThat(saved.contains(0) || !first).isTrue();
              assertThat(saved.retrieved()).hasSize((int) saved.size());
            }
          });
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void close(Kind kind) throws Exception {
    for (int round = 0; round < 5; round++) {
      SetAdapter set = kind.make(null, 2, 1, false);
      Set<Throwable> thrown = ConcurrentHashMap.newKeySet();
      List<Thread> adders = new ArrayList<>();
      for (int i = 0; i < ADDERS; i++) {
        int adder = i;
        adders.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        long _ = addAll(set, adder);
                      } catch (RuntimeException | Error e) {
                        thrown.add(e);
                      }
                    }));
      }
      Others.await(() -> set.size() >= 300 || adders.stream().noneMatch(Thread::isAlive));
      set.close();
      for (Thread adder : adders) {
        adder.join();
      }
      assertThat(thrown).allSatisfy(e -> assertThat(e).isInstanceOf(ClosedException.class));
    }
  }
}
