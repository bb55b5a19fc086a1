package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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
 * <p>The text is {@code repeat} times the ten books of the blog in the folder that the system
 * property gyre.books names, or generated text where it names none. Both cut it into as many
 * strips.
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

  private static final int STRIPS_PER_THREAD = 8;

  @Param({"16"})
  int repeat;

  @Param({"1", "2"})
  int threads;

  private Memory text = Memory.ofBytes(0);
  private JvmLauncher launcher = JvmLauncher.create();
  private ExecutorService pool = Executors.newCachedThreadPool();
  private long total;

  @Setup(Level.Trial)
  public void prepare() throws IOException {
    text = Words.repeated(repeat);
    launcher = JvmLauncher.ofWorkers(threads);
    pool = Executors.newFixedThreadPool(threads);
  }

  @TearDown(Level.Iteration)
  public void check() {
    // The ten books have so many words; a generated text, any number but none.
    if (total == 0 || (System.getProperty("gyre.books") != null && total != 1_976_457L * repeat)) {
      throw new IllegalStateException("counted " + total + " words");
    }
  }

  @TearDown(Level.Trial)
  public void close() {
    launcher.close();
    pool.shutdown();
    text.close();
  }

  @Benchmark
  public void wordTrie() {
    try (WordTrie trie =
        WordTrie.builder().launcher(launcher).deviceThreads(threads * STRIPS_PER_THREAD).build()) {
      trie.add(text, text.byteSize());
      total = trie.total();
    }
  }

  @Benchmark
  public void concurrentHashMap() throws Exception {
    total =
        new MapCounter(text)
            .count(pool, threads * STRIPS_PER_THREAD).values().stream()
                .mapToLong(LongAdder::sum)
                .sum();
  }
}
