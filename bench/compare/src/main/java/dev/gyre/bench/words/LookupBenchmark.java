package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Time to look up every word of a text by one thread, from strings or from bytes, to sum the words
 * under prefixes, and to find the most frequent words, for which our trie takes the threads of the
 * common pool.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--enable-native-access=ALL-UNNAMED"})
public class LookupBenchmark {

  /** Counts of all words, and the words. */
  @State(Scope.Benchmark)
  public abstract static class Counted {
    RivalCounter counter = WordRival.PATRICIA_TRIE.open(1);
    List<String> asked = List.of();
    long expected;
    long result;

    void count(WordRival rival) throws IOException {
      counter = rival.open(1);
      try (Memory text = Texts.repeated(Texts.ofProperty(), 1)) {
        counter.count(text);
      }
    }

    @TearDown
    public void close() {
      counter.close();
      if (result != expected) {
        throw new IllegalStateException("counts sum up to " + result + ", not " + expected);
      }
    }
  }

  /** Whole words, some of which are not there. */
  public static class Words extends Counted {
    @Param({
      "GYRE_TRIE",
      "GYRE_TEXT_MAP",
      "CONCURRENT_HASH_MAP",
      "PARALLEL_STREAM",
      "SKIP_LIST",
      "PATRICIA_TRIE"
    })
    WordRival rival = WordRival.GYRE_TRIE;

    @Param({"100", "50", "0"})
    int hitPercent;

    List<byte[]> askedBytes = List.of();

    @Setup
    public void prepare() throws IOException {
      count(rival);
      asked = Questions.words(counter.words(), hitPercent);
      askedBytes = Questions.bytes(asked);
      expected = counter.countsOf(asked);
    }
  }

  /** Every pair of letters. */
  public static class Prefixes extends Counted {
    @Param({"GYRE_TRIE", "SKIP_LIST", "PATRICIA_TRIE"})
    WordRival rival = WordRival.GYRE_TRIE;

    @Setup
    public void prepare() throws IOException {
      count(rival);
      asked = Questions.prefixes();
      expected = counter.countsUnder(asked);
    }
  }

  /** The ten most frequent words. */
  public static class MostFrequent extends Counted {
    static final int WORDS = 10;

    @Param({"GYRE_TRIE", "GYRE_TEXT_MAP", "CONCURRENT_HASH_MAP", "SKIP_LIST", "PATRICIA_TRIE"})
    WordRival rival = WordRival.GYRE_TRIE;

    @Setup
    public void prepare() throws IOException {
      count(rival);
      expected =
          counter.words().stream()
              .mapToLong(word -> -counter.countsOf(List.of(word)))
              .sorted()
              .limit(WORDS)
              .map(count -> -count)
              .sum();
    }
  }

  @Benchmark
  public long lookup(Words words) {
    words.result = words.counter.countsOf(words.asked);
    return words.result;
  }

  @Benchmark
  public long lookupBytes(Words words) {
    words.result = words.counter.countsOfBytes(words.askedBytes);
    return words.result;
  }

  @Benchmark
  public long top(MostFrequent words) {
    words.result = words.counter.countsOfTop(MostFrequent.WORDS);
    return words.result;
  }

  @Benchmark
  public long prefix(Prefixes prefixes) {
    prefixes.result = prefixes.counter.countsUnder(prefixes.asked);
    return prefixes.result;
  }
}
