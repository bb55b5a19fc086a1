package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.trie.WordTrie;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While a launch holds a structure it stays as it is, and is let go whatever happens. */
@Timeout(60)
class LaunchGuardsTest {

  private static final LaunchShape TWO = LaunchShape.ofThreads(2);

  /** For kernels that tell when they are in the middle, and wait there. */
  private static volatile CountDownLatch begun = new CountDownLatch(1);

  private static volatile CountDownLatch goOn = new CountDownLatch(1);

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(2);
  private final LongLongMap map = LongLongMap.builder().launcher(launcher).capacity(8).build();
  private final LongLongMap other = LongLongMap.builder().launcher(launcher).capacity(8).build();

  @AfterEach
  void close() {
    goOn.countDown();
    map.close();
    other.close();
    launcher.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Inserts a key, waits, and inserts another. */
  private record Waits(LongMapRef map) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        int _ = map.insert(1, 10);
        begun.countDown();
        await(goOn);
        int _ = map.insert(2, 20);
      }
    }
  }

  private record Adds(LongMapRef map, long key) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int _ = map.merge(key, 1, MapCodes.ADD);
    }
  }

  private record AddsToBoth(LongMapRef first, LongMapRef second) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int _ = first.merge(5, 1, MapCodes.ADD);
      int _ = second.merge(5, 1, MapCodes.ADD);
    }
  }

  private record Fails(LongMapRef map) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int _ = map.insert(thread, 1);
      if (thread == 1) {
        throw new IllegalStateException("on purpose");
      }
    }
  }

  private record NoKernel(LongMapRef map, List<Long> keys) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int _ = map.insert(1, 1);
    }
  }

  private Thread waiting() throws InterruptedException {
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    Thread thread = Thread.ofPlatform().start(() -> map.launch(Waits::new, TWO));
    begun.await();
    return thread;
  }

  /** A thread that does something, and waits or has ended. */
  private static Thread started(Runnable action) {
    Thread thread = Thread.ofPlatform().start(action);
    Others.await(() -> !thread.isAlive() || Others.waits(thread));
    return thread;
  }

  @Test
  void whatChangesTheMapWaitsForTheEnd(@TempDir Path folder) throws InterruptedException {
    try (JvmLauncher elsewhere = JvmLauncher.ofWorkers(1)) {
      List<Runnable> changes =
          List.of(
              () -> map.rehash(100),
              () -> map.save(folder.resolve("map")),
              map::clear,
              () -> map.copyTo(elsewhere).close(),
              () -> {
                var _ = map.putIfAbsent(3, 30);
              },
              () -> {
                var _ = map.insert(new long[] {4}, new long[] {40});
              },
              () -> map.launch(ref -> new Adds(ref, 5), TWO),
              map::close);
      for (Runnable change : changes) {
        Thread launch = waiting();
        Thread changing = started(change);
        assertThat(changing.isAlive()).isTrue();
        assertThat(launch.isAlive()).isTrue();
        goOn.countDown();
        launch.join();
        changing.join();
      }
      try (LongLongMap saved = LongLongMap.load(folder.resolve("map"))) {
        assertThat(saved.getOrDefault(1, 0)).isEqualTo(10);
        assertThat(saved.getOrDefault(2, 0)).isEqualTo(20);
        assertThat(saved.size()).isEqualTo(2);
      }
    }
  }

  @Test
  void readersDoNotWait() throws InterruptedException {
    Thread launch = waiting();
    assertThat(map.getOrDefault(1, 0)).isEqualTo(10);
    assertThat(map.containsKey(2)).isFalse();
    long[] found = new long[2];
    assertThat(map.find(new long[] {1, 2}, found).found()).isEqualTo(1);
    assertThat(found).containsExactly(10, 0);
    goOn.countDown();
    launch.join();
    assertThat(map.size()).isEqualTo(2);
  }

  @Test
  void aKernelThatThrowsLetsGoOfAll() {
    assertThatThrownBy(() -> map.launch(Fails::new, LaunchShape.ofThreads(1 << 10)))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("on purpose");
    long[] keys = new long[(int) map.size()];
    assertThat(map.retrieveAll(keys, new long[keys.length])).isEqualTo(map.size());
    requireFree(map);
  }

  /** What waits for a launch does so no more. */
  private static void requireFree(LongLongMap map) {
    long size = map.size();
    map.rehash(size + 50);
    long key = -1 - size;
    assertThat(map.putIfAbsent(key, 1)).isEmpty();
    assertThat(map.size()).isEqualTo(size + 1);
    map.launch(ref -> new Adds(ref, key), TWO);
    assertThat(map.getOrDefault(key, 0)).isEqualTo(3);
    assertThat(map.size()).isEqualTo(size + 1);
  }

  @Test
  void anInterruptedLaunchLetsGoOfAll() throws InterruptedException {
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    List<Throwable> thrown = new ArrayList<>();
    Thread launch =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    map.launchUntilDone(Waits::new, LaunchShape.ofThreads(8));
                  } catch (LaunchCancelledException e) {
                    thrown.add(e);
                  }
                });
    begun.await();
    launch.interrupt();
    launch.join();
    assertThat(thrown).hasSize(1);
    assertThat(map.getOrDefault(1, 0)).isEqualTo(10);
    assertThat(map.size()).isEqualTo(2);
    requireFree(map);
  }

  @Test
  void whatIsNoKernelIsRefusedAndNothingRan() {
    assertThatThrownBy(() -> map.launch(ref -> new NoKernel(ref, List.of(1L)), TWO))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("component keys")
        .hasMessageContaining("not a handle, a primitive number or a record");
    assertThatThrownBy(
            () ->
                map.launch(
                    ref ->
                        (_, _) -> {
                          int _ = ref.insert(1, 1);
                        },
                    TWO))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("is not a record");
    assertThatThrownBy(() -> map.launch(_ -> nothing(), TWO))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("kernel");
    assertThatThrownBy(
            () ->
                map.launch(
                    _ -> {
                      throw new IllegalStateException("on purpose");
                    },
                    TWO))
        .isInstanceOf(IllegalStateException.class);
    assertThat(map.size()).isZero();
    requireFree(map);
  }

  /** Else it would wait for itself for ever. */
  @Test
  void theFunctionThatMakesAKernelMustNotChangeTheMap(@TempDir Path folder) {
    List<Runnable> changes =
        List.of(
            () -> {
              var _ = map.put(1, 1);
            },
            () -> {
              var _ = map.insert(new long[] {1}, new long[] {1});
            },
            () -> map.rehash(100),
            () -> map.save(folder.resolve("map")),
            map::clear,
            () -> map.copyTo(launcher).close(),
            () -> map.launch(ref -> new Adds(ref, 1), TWO),
            map::close);
    for (Runnable change : changes) {
      assertThatThrownBy(
              () ->
                  map.launch(
                      ref -> {
                        change.run();
                        return new Adds(ref, 1);
                      },
                      TWO))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("the function that makes a kernel");
    }
    // It may read.
    map.launch(ref -> new Adds(ref, map.getOrDefault(-5, 7)), TWO);
    assertThat(map.getOrDefault(7, 0)).isEqualTo(2);
    requireFree(map);
  }

  @SuppressWarnings("NullAway") // that is the point
  private static Kernel nothing() {
    @Nullable Kernel none = null;
    return none;
  }

  /** It holds what comes first in the order of all launches, and waits for that with nothing. */
  @Test
  void aLaunchWithTwoMapsHoldsThemInOneOrder() throws InterruptedException {
    List<Runnable> both =
        List.of(
            () -> Launches.with(map, other).launch(AddsToBoth::new, TWO),
            () -> Launches.with(other, map).launch(AddsToBoth::new, TWO));
    for (Runnable launchBoth : both) {
      Thread first = waiting();
      Thread second = started(launchBoth);
      assertThat(second.isAlive()).isTrue();
      // Not held by who waits for the first one.
      var _ = other.insert(new long[] {7}, new long[] {7});
      other.launch(ref -> new Adds(ref, 8), TWO);
      goOn.countDown();
      first.join();
      second.join();
    }
    assertThat(map.getOrDefault(5, 0)).isEqualTo(4);
    assertThat(other.getOrDefault(5, 0)).isEqualTo(4);
  }

  @Test
  void launchesInOppositeOrdersDoNotBlockEachOther() throws InterruptedException {
    int rounds = 200;
    Thread forth =
        started(
            () -> {
              for (int i = 0; i < rounds; i++) {
                Launches.with(map, other).launch(AddsToBoth::new, TWO);
              }
            });
    Thread back =
        started(
            () -> {
              for (int i = 0; i < rounds; i++) {
                Launches.with(other, map).launchUntilDone(AddsToBoth::new, TWO);
              }
            });
    for (int i = 0; i < rounds; i++) {
      map.rehash(10 + i);
      var _ = other.insert(new long[] {-1}, new long[] {1});
    }
    forth.join();
    back.join();
    assertThat(map.getOrDefault(5, 0)).isEqualTo(4L * rounds);
    assertThat(other.getOrDefault(5, 0)).isEqualTo(4L * rounds);
  }

  @Test
  void oneOfSeveralThatIsClosedLetsGoOfTheOthers() {
    LongLongMap closed = LongLongMap.builder().launcher(launcher).build();
    closed.close();
    assertThatThrownBy(() -> Launches.with(map, closed).launch(AddsToBoth::new, TWO))
        .isInstanceOf(ClosedException.class);
    requireFree(map);
    assertThatThrownBy(() -> Launches.with(map, map).launch(AddsToBoth::new, TWO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LongLongMap is given to one launch twice");
    requireFree(map);
  }

  private record Three(LongMapRef first, LongMapRef second, LongSetRef third, DeviceLongs seen)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        int _ = third.add(first.find(1).value() + second.find(1).value());
        seen.set(0, third.contains(300));
      }
    }
  }

  @Test
  void threeAreLaunchedWith() {
    try (LongSet sums = LongSet.builder().launcher(launcher).build();
        Memory memory = Memory.ofLongs(1)) {
      assertThat(map.putIfAbsent(1, 100)).isEmpty();
      assertThat(other.putIfAbsent(1, 200)).isEmpty();
      DeviceLongs seen = DeviceLongs.of(memory);
      Launches.with(map, other, sums).launch((a, b, c) -> new Three(a, b, c, seen), TWO);
      assertThat(sums.contains(300)).isTrue();
      assertThat(seen.get(0)).isEqualTo(MapCodes.FOUND);
    }
  }

  /** Nothing runs, and nothing is held; a copy on the common launcher may be used. */
  @Test
  void structuresOfTwoLaunchersAreRefused() {
    try (JvmLauncher elsewhere = JvmLauncher.ofWorkers(1);
        LongLongMap there = LongLongMap.builder().launcher(elsewhere).build();
        WordTrie trie = WordTrie.builder().launcher(elsewhere).build()) {
      for (Launchable<?> second : List.of(there, trie)) {
        assertThatThrownBy(() -> Launches.with(map, second).launch((_, _) -> nothing(), TWO))
            .isInstanceOf(StructureException.class)
            .hasMessageContaining("LongLongMap")
            .hasMessageContaining("copyTo");
        assertThatThrownBy(
                () -> Launches.with(second, map, other).launch((_, _, _) -> nothing(), TWO))
            .isInstanceOf(StructureException.class);
      }
      assertThat(map.size()).isZero();
      try (LongLongMap here = there.copyTo(launcher)) {
        Launches.with(map, here).launch(AddsToBoth::new, TWO);
        assertThat(here.getOrDefault(5, 0)).isEqualTo(2);
      }
      assertThat(there.size()).isZero();
      requireFree(map);
      requireFree(there);
    }
  }

  /** Looks up a word, waits, and looks it up again. */
  private record Reads(TrieRef trie, Bytes text, DeviceLongs counts) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        counts.set(0, trie.count(text, 0, 1));
        begun.countDown();
        await(goOn);
        counts.set(1, trie.count(text, 0, 1));
      }
    }
  }

  @Test
  void whatChangesATrieWaitsForTheEnd() throws InterruptedException {
    try (WordTrie trie = WordTrie.builder().launcher(launcher).build();
        JvmLauncher elsewhere = JvmLauncher.ofWorkers(1);
        Memory text = Memory.ofBytes(1);
        Memory memory = Memory.ofLongs(2)) {
      trie.add("a b a");
      DeviceLongs counts = DeviceLongs.of(memory);
      Bytes.of(text).set(0, (byte) 'a');
      List<Runnable> changes =
          List.of(
              () -> trie.add("a"),
              trie::clear,
              () -> trie.retain(1),
              () -> trie.copyTo(elsewhere).close(),
              () -> trie.save(OutputStream.nullOutputStream()),
              trie::trim,
              trie::close);
      for (Runnable change : changes) {
        begun = new CountDownLatch(1);
        goOn = new CountDownLatch(1);
        Thread launch =
            Thread.ofPlatform()
                .start(() -> trie.launch(ref -> new Reads(ref, Bytes.of(text), counts), TWO));
        begun.await();
        Thread changing = started(change);
        assertThat(changing.isAlive()).isTrue();
        assertThat(launch.isAlive()).isTrue();
        assertThat(trie.count("a")).isEqualTo(counts.get(0));
        goOn.countDown();
        launch.join();
        changing.join();
        assertThat(counts.get(1)).isEqualTo(counts.get(0));
      }
      assertThatThrownBy(() -> trie.launch(ref -> new Reads(ref, Bytes.of(text), counts), TWO))
          .isInstanceOf(ClosedException.class);
    }
  }

  /** A bulk operation beside launches: what both insert is there, and counted once. */
  @Test
  void bulkInsertsBesideLaunches() throws InterruptedException {
    int rounds = 50;
    long[] keys = LongStream.range(1000, 1100).toArray();
    Thread bulk =
        started(
            () -> {
              for (int i = 0; i < rounds; i++) {
                var _ = map.insert(keys, keys);
                var _ = map.contains(keys);
              }
            });
    for (int i = 0; i < rounds; i++) {
      long key = i;
      map.launchUntilDone(ref -> new Adds(ref, key), LaunchShape.ofThreads(1));
    }
    bulk.join();
    assertThat(map.size()).isEqualTo(keys.length + rounds);
    for (int i = 0; i < rounds; i++) {
      assertThat(map.getOrDefault(i, 0)).isEqualTo(1);
    }
  }
}
