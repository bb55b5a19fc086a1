package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.TimedRegion;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * Time to count the words of a text in memory, from an empty structure to all counts, and to answer
 * questions about the counts.
 *
 * <p>The text is the file that the system property {@code gyre.text} names, or generated. A count
 * includes the growth of the pool, the strings and the nodes of the map. Questions are asked by one
 * thread; to find the most frequent words, our trie uses the common pool.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    // Not lost if an option of the command line replaces the others.
    jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED",
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC"})
public class WordBenchmark {

  /** Words that {@link #top} finds. */
  private static final int MOST_FREQUENT = 10;

  /** A structure that counts, and a text. */
  @State(Scope.Benchmark)
  public static class Counting {

    @Param({
      "GYRE_TRIE",
      "GYRE_TRIE_SMALL",
      "GYRE_TEXT_MAP",
      "CONCURRENT_HASH_MAP",
      "PARALLEL_STREAM",
      "SKIP_LIST",
      "PATRICIA_TRIE"
    })
    Rival rival = Rival.GYRE_TRIE;

    @Param("1")
    int threads = 1;

    @Param("1")
    int repeat = 1;

    Memory text = Memory.ofBytes(0);
    RivalCounter counter = RivalCounter.open(Rival.PATRICIA_TRIE, 1);
    private TimedRegion region = new TimedRegion();
    private long words;

    @Setup(Level.Trial)
    public void prepare(TimedRegion counters) throws IOException {
      region = counters;
      text = Texts.repeated(Texts.ofProperty(), repeat);
      counter = RivalCounter.open(rival, threads);
      counter.prepare(text);
      WordScan.forEach(text, 0, text.byteSize(), (_, _) -> words++);
      prepared();
    }

    /** Called when all else is there: JMH runs the methods that set up in no order to rely on. */
    void prepared() {}

    @Setup(Level.Iteration)
    public void begin() {
      region.begin();
    }

    @TearDown(Level.Iteration)
    public void end() {
      region.end();
      require(counter.total(), words);
    }

    @TearDown(Level.Trial)
    public void close() {
      counter.close();
      text.close();
    }
  }

  /** Counts of all words, and what is asked. */
  public static class Counted extends Counting {

    @Param("100")
    int hits;

    List<String> asked = List.of();
    long expected;

    @Override
    void prepared() {
      counter.count(text);
      asked = Questions.words(counter.words(), hits);
      expected = counter.countsOf(asked);
    }
  }

  private static long require(long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException("counts are %d, not %d".formatted(actual, expected));
    }
    return actual;
  }

  @Benchmark
  public void count(Counting words) {
    words.counter.count(words.text);
  }

  @Benchmark
  public long lookup(Counted words) {
    return require(words.counter.countsOf(words.asked), words.expected);
  }

  @Benchmark
  public long top(Counted words) {
    return words.counter.countsOfTop(MOST_FREQUENT);
  }

  @Benchmark
  public long prefix(Counted words) {
    return words.counter.countsUnder(Questions.prefixes());
  }
}
