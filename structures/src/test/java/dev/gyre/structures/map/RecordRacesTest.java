package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.RealFold;
import dev.gyre.structures.Others;
import dev.gyre.structures.map.RecordKinds.Edge;
import dev.gyre.structures.map.RecordKinds.Pair;
import dev.gyre.structures.map.RecordKinds.Traffic;
import dev.gyre.structures.map.RecordKinds.Weight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single keys that are records, by several threads of the JVM, beside each other and growth. */
@Tag("race")
class RecordRacesTest {

  private static final int THREADS = 4;
  private static final Edge EDGE = new Edge(1, 2);

  private static volatile CountDownLatch inside = new CountDownLatch(0);
  private static volatile CountDownLatch goOn = new CountDownLatch(0);

  /** Holds the thread that asks it, so that it stays in the middle of its merge. */
  record PausedFold() implements Fold {
    @Override
    public long apply(long present, long given) {
      inside.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return given;
    }
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void together(int threads, Work work) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      CountDownLatch start = new CountDownLatch(threads);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        all.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        var _ = one.get();
      }
    }
  }

  @Test
  void allMergesIntoOneKeyCountInEachColumn() throws Exception {
    int each = 20_000;
    try (var map = RecordMap.create(Edge.class, Traffic.class)) {
      together(
          THREADS,
          thread -> {
            for (int i = 0; i < each; i++) {
              Traffic one = new Traffic(0.5, (long) thread * each + i, 1, -i);
              var _ = map.merge(EDGE, one, RecordKinds.TRAFFIC_SUMS);
            }
          });
      int all = THREADS * each;
      assertThat(map.get(EDGE)).contains(new Traffic(0.5 * all, all - 1, all, 1 - each));
    }
  }

  /** Merges and bulk operations, of keys of which many are new, while the map grows. */
  @Test
  void nothingIsLostBesideGrowth() throws Exception {
    int each = 4_000;
    try (var map =
        RecordMap.builder(RecordSchema.of(Edge.class, Traffic.class)).capacity(1).build()) {
      AtomicLong bulk = new AtomicLong();
      together(
          THREADS,
          thread -> {
            for (int i = 0; i < each; i++) {
              Traffic one = new Traffic(1, 0, 1, 0);
              var _ = map.merge(new Edge(i, i % 7), one, RecordKinds.TRAFFIC_SUMS);
              if (thread == 0 && i % 500 == 0) {
                var counts =
                    map.insertOrApply(
                        Columns.ints(new int[] {i, -i - 1}, new int[] {i % 7, 0}),
                        Columns.doubles(new double[] {1, 1})
                            .and(Columns.longs(new long[2]))
                            .and(Columns.ints(new int[] {1, 1}))
                            .and(Columns.floats(new float[2])),
                        RecordKinds.TRAFFIC_SUMS);
                bulk.addAndGet(counts.inserted() + counts.present());
              }
            }
          });
      long[] hits = {0};
      map.forEach((_, value) -> hits[0] += value.hits());
      assertThat(hits[0]).isEqualTo((long) THREADS * each + bulk.get());
      assertThat(map.size()).isEqualTo(each + bulk.get() / 2);
    }
  }

  private static void awaitWaiting(Thread thread) {
    // It waits for the gate, or has ended, if it does not.
    while (!Others.waits(thread) && thread.isAlive()) {
      Thread.onSpinWait();
    }
  }

  private static void requireWaitsForWhoIsInside(RecordMap<Edge, Pair> map, Work replace)
      throws Exception {
    inside = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    Changes held = Changes.of("other", new PausedFold());
    Thread merging = new Thread(() -> {});
    Thread replacing = new Thread(() -> {});
    try {
      merging = Thread.ofPlatform().start(() -> map.merge(EDGE, new Pair(1, 1), held));
      inside.await();
      replacing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      replace.run(0);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
      awaitWaiting(replacing);
      assertThat(replacing.isAlive()).isTrue();
    } finally {
      goOn.countDown();
      merging.join();
      replacing.join();
    }
    assertThat(map.get(EDGE)).contains(new Pair(7, 8));
  }

  private static RecordMap<Edge, Pair> pairs() {
    return RecordMap.builder(RecordSchema.of(Edge.class, Pair.class)).workers(1).build();
  }

  /** A thread that is at a value, to read it or to change a column, sees no half of another one. */
  @Test
  void putWaitsForWhoIsAtAValue() throws Exception {
    try (RecordMap<Edge, Pair> map = pairs()) {
      assertThat(map.put(EDGE, new Pair(1, 2))).isEmpty();
      requireWaitsForWhoIsInside(map, _ -> assertThat(map.put(EDGE, new Pair(7, 8))).isPresent());
    }
  }

  @Test
  void insertOrAssignWaitsForWhoIsAtAValue() throws Exception {
    try (RecordMap<Edge, Pair> map = pairs()) {
      assertThat(map.put(EDGE, new Pair(1, 2))).isEmpty();
      requireWaitsForWhoIsInside(
          map,
          _ -> {
            var _ =
                map.insertOrAssign(
                    Columns.ints(new int[] {1}, new int[] {2}),
                    Columns.longs(new long[] {7}, new long[] {8}));
          });
    }
  }

  /** Throws once another thread has said so. */
  record ThrowingFold(DeviceInts steps) implements RealFold {
    @Override
    public double apply(double present, double given) {
      // seq_cst, like the next load: pairs with the thread that waits
      steps.storeSeqCst(0, 1);
      // seq_cst: see above
      while (steps.loadSeqCst(1) == 0) {}
      throw new IllegalStateException("thrown by a fold");
    }
  }

  /**
   * A launch that failed holds its slot until it enters the lock again; another thread is first.
   */
  @Test
  void growthKeepsAKeyThatAFailedLaunchHolds() throws Exception {
    int more = 1_000;
    try (Memory memory = Memory.ofInts(2);
        RecordMap<Edge, Weight> map =
            RecordMap.builder(RecordSchema.of(Edge.class, Weight.class))
                .capacity(8)
                .workers(1)
                .removable()
                .build()) {
      DeviceInts steps = DeviceInts.of(memory);
      assertThat(map.putIfAbsent(EDGE, new Weight(3))).isEmpty();
      CompletableFuture<Void> failing =
          Others.start(
              () -> {
                var _ =
                    map.insertOrApply(
                        Columns.ints(new int[] {EDGE.from()}, new int[] {EDGE.to()}),
                        Columns.doubles(new double[] {1}),
                        Changes.ofReal("weight", new ThrowingFold(steps)));
              });
      // seq_cst: pairs with the fold
      Others.await(() -> steps.loadSeqCst(0) == 1);
      Thread growing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < more; i++) {
                      var _ = map.putIfAbsent(new Edge(-i, i), new Weight(i));
                    }
                  });
      try {
        Others.await(() -> Others.waits(growing));
      } finally {
        // seq_cst: pairs with the fold
        steps.storeSeqCst(1, 1);
        growing.join();
      }
      assertThat(failing).failsWithin(Duration.ofMinutes(1));
      assertThat(map.get(EDGE)).contains(new Weight(3));
      assertThat(map.size()).isEqualTo(1 + more);
    }
  }
}
