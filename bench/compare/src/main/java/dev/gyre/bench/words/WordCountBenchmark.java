package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.io.IOException;
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
 * Time to count the words of a text in memory, from an empty structure to all counts: the pool's
 * growth, the strings and the map's nodes are part of it.
 *
 * <p>The text is {@code repeat} times the file that the system property gyre.text names, or
 * generated text where it names none.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 4)
@Measurement(iterations = 7)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--enable-native-access=ALL-UNNAMED"})
public class WordCountBenchmark {

  @Param({
    "GYRE_TRIE",
    "GYRE_TEXT_MAP",
    "CONCURRENT_HASH_MAP",
    "PARALLEL_STREAM",
    "SKIP_LIST",
    "PATRICIA_TRIE"
  })
  WordRival rival = WordRival.GYRE_TRIE;

  @Param({"16"})
  int repeat;

  @Param({"1", "2"})
  int threads;

  private Memory text = Memory.ofBytes(0);
  private RivalCounter counter = WordRival.PATRICIA_TRIE.open(1);
  private long expected;

  @Setup(Level.Trial)
  public void prepare() throws IOException {
    byte[] once = Texts.ofProperty();
    text = Texts.repeated(once, repeat);
    counter = rival.open(threads);
    long[] words = new long[1];
    WordScan.forEach(text, 0, text.byteSize(), (_, _) -> words[0]++);
    expected = words[0];
  }

  @TearDown(Level.Iteration)
  public void check() {
    if (counter.total() != expected) {
      throw new IllegalStateException("counted " + counter.total() + " words, not " + expected);
    }
  }

  @TearDown(Level.Trial)
  public void close() {
    counter.close();
    text.close();
  }

  @Benchmark
  public void count() {
    counter.count(text);
  }
}
