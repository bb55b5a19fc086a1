package dev.gyre.bench.map;

import dev.gyre.structures.trie.WordTrie;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

  /** A map or set, new for each invocation. */
  @State(Scope.Benchmark)
  public abstract static class Callers {
    @Param({
      "GYRE_INTS",
      "GYRE_LONGS",
      "GYRE_SET",
      "GYRE_TEXTS",
      "CONCURRENT_HASH_MAP",
      "CONCURRENT_HASH_MAP_TEXTS"
    })
    CallersRival rival = CallersRival.CONCURRENT_HASH_MAP;

    /** Whether there is capacity for all keys from the beginning. */
    @Param({"false", "true"})
    boolean roomy;

    CallersRival.Shared shared = CallersRival.CONCURRENT_HASH_MAP.make(1);

    abstract int keys();

    @Setup(Level.Invocation)
    public void make() {
      shared = rival.make(roomy ? keys() : 1);
    }

    @TearDown(Level.Invocation)
    public void close() {
      long size = shared.size();
      shared.close();
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

  /** What counts words. */
  public enum Words {
    GYRE_TRIE,
    CONCURRENT_HASH_MAP
  }

  /** Threads that count one word each: half as many words as threads. */
  @State(Scope.Benchmark)
  public static class Counts {
    @Param({"GYRE_TRIE", "CONCURRENT_HASH_MAP"})
    Words rival = Words.CONCURRENT_HASH_MAP;

    @Param({"2000", "20000"})
    int threads;

    private String[] words = {};
    private @Nullable WordTrie trie;
    private ConcurrentHashMap<String, LongAdder> map = new ConcurrentHashMap<>();

    @Setup
    public void makeWords() {
      words = IntStream.range(0, threads).mapToObj(i -> word(i / 2)).toArray(String[]::new);
    }

    private static String word(int number) {
      StringBuilder letters = new StringBuilder();
      for (int left = number; letters.isEmpty() || left > 0; left /= 26) {
        letters.append((char) ('a' + left % 26));
      }
      return letters.toString();
    }

    @Setup(Level.Invocation)
    public void make() {
      trie = rival == Words.GYRE_TRIE ? WordTrie.builder().initialNodes(1).build() : null;
      map = new ConcurrentHashMap<>();
    }

    void count(int thread) {
      if (trie == null) {
        map.computeIfAbsent(words[thread], _ -> new LongAdder()).increment();
      } else {
        WordTrie _ = trie.addWord(words[thread], 1);
      }
    }

    @TearDown(Level.Invocation)
    public void close() {
      long size = map.mappingCount();
      if (trie != null) {
        size = trie.size();
        trie.close();
      }
      if (size != threads / 2) {
        throw new IllegalStateException(rival + " has " + size + " words, not " + threads / 2);
      }
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
    run(puts.threads, true, puts.shared.put());
  }

  @Benchmark
  public void oneWord(Counts counts) throws InterruptedException {
    run(counts.threads, true, counts::count);
  }

  @Benchmark
  public void oneInsert(Inserts inserts) throws InterruptedException {
    run(inserts.threads, inserts.virtual, number -> inserts.shared.insert(number * BULK, BULK));
  }
}
