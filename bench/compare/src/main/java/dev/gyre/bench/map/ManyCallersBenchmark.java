package dev.gyre.bench.map;

import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time until many threads have each done one operation on one structure that they share: a put of
 * one key, or one more of a word, by virtual threads, or an insert of {@value #BULK} keys by
 * virtual or platform threads. A map begins with capacity for one key and grows, or with capacity
 * for all; a trie begins small. To start the threads is part of the time.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 20)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
public class ManyCallersBenchmark {

  static final int BULK = 600;

  /**
   * What the threads share.
   *
   * @param put inserts a number, or counts it as a text
   * @param insert does the same to several
   */
  record Shared(IntConsumer put, Consumer<int[]> insert, LongSupplier size, Runnable end) {
    Shared(IntConsumer put, LongSupplier size, Runnable end) {
      this(put, keys -> IntStream.of(keys).forEach(put), size, end);
    }

    static Shared of(Rival rival, boolean texts, int capacity) {
      return switch (rival) {
        case GYRE_PACKED -> {
          IntIntMap map = IntIntMap.builder().capacity(capacity).build();
          yield new Shared(
              key -> map.put(key, key), keys -> map.insert(keys, keys), map::size, map::close);
        }
        case GYRE_REFERENCE -> {
          LongLongMap map = LongLongMap.builder().capacity(capacity).build();
          yield new Shared(
              key -> map.put(key, key),
              keys -> map.insert(longs(keys), longs(keys)),
              map::size,
              map::close);
        }
        case GYRE_SET -> {
          LongSet set = LongSet.builder().capacity(capacity).build();
          yield new Shared(set::add, keys -> set.addAll(longs(keys)), set::size, set::close);
        }
        case GYRE_TEXT_MAP -> {
          TextLongMap map = TextLongMap.builder().capacity(capacity).build();
          Consumer<int[]> insert = keys -> map.insert(texts(keys), longs(keys));
          yield new Shared(key -> map.put(text(key), key), insert, map::size, map::close);
        }
        case GYRE_TRIE -> {
          WordTrie trie = WordTrie.builder().initialNodes(1).build();
          yield new Shared(key -> trie.addWord(text(key), 1), trie::size, trie::close);
        }
        case CONCURRENT_HASH_MAP -> {
          ConcurrentHashMap<Object, LongAdder> map = new ConcurrentHashMap<>(capacity);
          yield new Shared(
              key ->
                  map.computeIfAbsent(texts ? text(key) : (Long) (long) key, _ -> new LongAdder())
                      .increment(),
              map::mappingCount,
              () -> {});
        }
        default -> throw new IllegalArgumentException(rival + " is not for many threads");
      };
    }

    private static long[] longs(int[] keys) {
      return Arrays.stream(keys).asLongStream().toArray();
    }

    private static List<String> texts(int[] keys) {
      return IntStream.of(keys).mapToObj(Shared::text).toList();
    }

    /** Returns a word of letters for each number. */
    private static String text(int number) {
      StringBuilder letters = new StringBuilder();
      for (int left = number; letters.isEmpty() || left > 0; left /= 26) {
        letters.append((char) ('a' + left % 26));
      }
      return letters.toString();
    }
  }

  /** A structure, new for each invocation. */
  @State(Scope.Benchmark)
  public abstract static class Callers {
    @Param({
      "GYRE_PACKED",
      "GYRE_REFERENCE",
      "GYRE_SET",
      "GYRE_TEXT_MAP",
      "GYRE_TRIE",
      "CONCURRENT_HASH_MAP"
    })
    Rival rival = Rival.CONCURRENT_HASH_MAP;

    /** Whether keys of ConcurrentHashMap are texts; has no effect on the others. */
    @Param("false")
    boolean texts;

    /** Whether there is capacity for all keys from the beginning. */
    @Param({"false", "true"})
    boolean hasCapacity;

    Shared shared = Shared.of(Rival.CONCURRENT_HASH_MAP, false, 1);

    abstract int keys();

    @Setup(Level.Invocation)
    public void make() {
      shared = Shared.of(rival, texts, hasCapacity ? keys() : 1);
    }

    @TearDown(Level.Invocation)
    public void close() {
      long size = shared.size.getAsLong();
      shared.end.run();
      if (size != keys()) {
        throw new IllegalStateException(rival + " has " + size + " keys, not " + keys());
      }
    }
  }

  /** Threads that put one key each. */
  public static class Puts extends Callers {
    @Param({"2000", "20000"})
    int threads;

    @Override
    int keys() {
      return threads;
    }
  }

  /** Threads that insert many keys each. */
  public static class Inserts extends Callers {
    @Param("800")
    int threads;

    @Param({"true", "false"})
    boolean virtual;

    @Override
    int keys() {
      return threads * BULK;
    }
  }

  private static void run(int threads, boolean virtual, IntConsumer task)
      throws InterruptedException {
    CountDownLatch left = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      int number = i;
      Runnable body =
          () -> {
            task.accept(number);
            left.countDown();
          };
      var _ = virtual ? Thread.ofVirtual().start(body) : Thread.ofPlatform().start(body);
    }
    left.await();
  }

  @Benchmark
  public void onePut(Puts puts) throws InterruptedException {
    run(puts.threads, true, puts.shared.put);
  }

  @Benchmark
  public void oneInsert(Inserts inserts) throws InterruptedException {
    run(
        inserts.threads,
        inserts.virtual,
        number ->
            inserts.shared.insert.accept(
                IntStream.range(number * BULK, (number + 1) * BULK).toArray()));
  }
}
