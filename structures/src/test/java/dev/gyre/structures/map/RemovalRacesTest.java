package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.map.RemovalConformanceTest.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads remove keys beside threads that look up, insert and change the same keys, and growth. */
@Timeout(120)
@Tag("slow")
class RemovalRacesTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 4_000;
  private static final int KEYS = 4;

  private static final int QUEUE_KEYS = 1_000;
  private static final int QUEUE_PARTS = 10;

  static Stream<Kind> kinds() {
    return Kind.all();
  }

  /** One kind of each type, with a number of puts: as many keys are removed. */
  static Stream<Arguments> queues() {
    Map<String, Kind> types = new LinkedHashMap<>();
    Kind.all().forEach(kind -> types.put(kind.type().name(), kind));
    return types.values().stream()
        .map(
            kind ->
                Arguments.of(kind, kind.type().equals(LongMapAdapter.TYPE) ? 5_000_000 : 500_000));
  }

  /** Without records of several values: a put of one has exclusive access anyway. */
  static Stream<Arguments> queuesOfSeveralThreads() {
    return queues()
        .filter(
            queue -> {
              String type = ((Kind) queue.get()[0]).type().name();
              return !type.endsWith("-rows") && !type.endsWith("-either");
            });
  }

  static Stream<SetAdapter.Kind> sets() {
    return SetAdapter.Kind.all();
  }

  static void inThreads(IntConsumer work) {
    IntStream.range(0, THREADS)
        .mapToObj(
            i -> {
              var failure = new Throwable[1];
              Thread thread =
                  Thread.ofPlatform()
                      .uncaughtExceptionHandler((_, e) -> failure[0] = e)
                      .start(() -> work.accept(i));
              return Map.entry(thread, failure);
            })
        .toList()
        .forEach(
            entry -> {
              try {
                entry.getKey().join();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              assertThat(entry.getValue()[0]).isNull();
            });
  }

  /** No update is lost in a removed slot: what was added was removed, or is still there. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noUpdateIsLost(Kind kind) {
    AtomicLong added = new AtomicLong();
    AtomicLong removed = new AtomicLong();
    try (MapAdapter map = kind.build(builder -> builder.capacity(2).removable())) {
      inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < ROUNDS; i++) {
              long key = kind.key(random.nextInt(KEYS));
              switch (random.nextInt(4)) {
                case 0 -> removed.addAndGet(map.remove(key).orElse(0));
                case 1 -> {
                  long[] keys = {key, key, kind.key(random.nextInt(KEYS))};
                  long[] ones = {1, 1, 1};
                  InsertCounts _ = map.insertOrApply(keys, ones, Apply.ADD, BulkOptions.NONE);
                  added.addAndGet(3);
                }
                case 2 -> {
                  long _ = map.merge(key, 1, Apply.ADD);
                  added.incrementAndGet();
                }
                default -> {
                  long[] found = new long[1];
                  FindCounts _ = map.removeAll(new long[] {key}, found, BulkOptions.NONE);
                  removed.addAndGet(found[0]);
                }
              }
            }
          });
      long left = map.entries().values().stream().mapToLong(Long::longValue).sum();
      assertThat(removed.get() + left).isEqualTo(added.get());
      assertThat(map.size()).isEqualTo(map.entries().size());
      assertThat(map.reservedSlots()).isZero();
    }
  }

  /** A search never gets the value of another key, although keys come and go in one table. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noLookupGetsTheValueOfAnotherKey(Kind kind) {
    AtomicLong present = new AtomicLong();
    try (MapAdapter map = kind.build(builder -> builder.capacity(8).removable())) {
      inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            long[] keys = LongStream.range(0, 16).map(kind::key).toArray();
            for (int i = 0; i < ROUNDS; i++) {
              long key = keys[random.nextInt(keys.length)];
              if (thread == 0) {
                map.get(key).ifPresent(value -> assertThat(value).isEqualTo(-key));
                map.forEach((k, value) -> assertThat(value).isEqualTo(-k));
              } else if (random.nextBoolean()) {
                present.addAndGet(map.remove(key).isPresent() ? -1 : 0);
              } else {
                present.addAndGet(map.putIfAbsent(key, -key).isEmpty() ? 1 : 0);
              }
            }
          });
      assertThat(map.entries()).hasSize((int) present.get());
    }
  }

  /** Of several threads that remove a key, one does; a walk has no key twice. */
  @ParameterizedTest
  @MethodSource("sets")
  void oneThreadRemovesAKey(SetAdapter.Kind kind) {
    AtomicLong present = new AtomicLong();
    try (SetAdapter set =
        kind.type().build(builder -> builder.capacity(8).workers(2).removable())) {
      inThreads(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < ROUNDS; i++) {
              long key = random.nextInt(16);
              if (random.nextBoolean()) {
                present.addAndGet(set.remove(key) ? -1 : 0);
              } else {
                present.addAndGet(set.add(key) ? 1 : 0);
              }
              if (thread == 0 && i % 100 == 0) {
                var met = new java.util.HashSet<Long>();
                set.forEach(k -> assertThat(met.add(k)).isTrue());
              }
            }
          });
      assertThat(set.size()).isEqualTo(present.get());
      assertThat(set.retrieved()).hasSize((int) present.get());
    }
  }

  private static void queue(
      MapAdapter map, Kind kind, int thread, long first, int steps, int keys) {
    // All threads have texts of the same lengths. Otherwise, a thread that runs alone for a while
    // makes the texts of the table look longer than they are, and the table grows.
    long from = 10_000_000L * thread;
    for (long n = first; n < first + steps; n++) {
      map.put(kind.key(from + n), n);
      boolean old = n >= keys && map.remove(kind.key(from + n - keys)).isPresent();
      assertThat(old).isEqualTo(n >= keys);
    }
  }

  /** Keys come and go one by one in several threads: the memory of the process stays flat. */
  @ParameterizedTest
  @MethodSource("queues")
  void memoryOfAQueueStaysFlat(Kind kind, int puts) {
    int steps = puts / QUEUE_PARTS / THREADS;
    long all = MemoryLeft.bytes();
    try (MapAdapter map = kind.build(builder -> builder.capacity(16).removable())) {
      long early = 0;
      for (int part = 0; part < QUEUE_PARTS; part++) {
        long first = (long) part * steps;
        inThreads(thread -> queue(map, kind, thread, first, steps, QUEUE_KEYS));
        long held = all - MemoryLeft.bytes();
        if (part < QUEUE_PARTS / 2) {
          early = Math.max(early, held);
        } else {
          assertThat(held).isLessThanOrEqualTo(early + early / 10);
        }
      }
      assertThat(map.size())
          .isEqualTo(Math.min((long) QUEUE_KEYS, (long) QUEUE_PARTS * steps) * THREADS);
    }
  }

  /** A rebuild stops all threads: a table with few keys grows until it is seldom rebuilt. */
  @ParameterizedTest
  @MethodSource("queuesOfSeveralThreads")
  void aTableOfSeveralThreadsGrows(Kind kind, int puts) {
    int cores = Math.min(THREADS, Runtime.getRuntime().availableProcessors());
    assumeThat(cores).isGreaterThan(1);
    long all = MemoryLeft.bytes();
    try (MapAdapter map = kind.build(builder -> builder.capacity(16).removable())) {
      inThreads(thread -> queue(map, kind, thread, 0, puts / QUEUE_PARTS, KEYS));
      // Half of 256 KiB per thread, because the table is measured when it has few keys.
      assertThat(all - MemoryLeft.bytes()).isBetween(cores * (128L << 10), cores * (4L << 20));
    }
  }
}
