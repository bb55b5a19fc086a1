package dev.gyre.bench.map;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.map.LongLongMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
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
 * Time of a sum over the values of a map, by its stream. {@link #read} sums as many bytes of plain
 * arrays by the same threads: the bandwidth of the memory bounds both.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    // Not lost if an option of the command line replaces the others.
    jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED",
    jvmArgsAppend = {"-Xmx4g", "-XX:+UseParallelGC"})
public class StreamBenchmark {

  private static final int ARRAYS = 256;

  @Param("10000000")
  int entries = 1;

  /** Threads of the parallel streams; 1 measures sequential ones. */
  @Param({"1", "2"})
  int threads = 1;

  private LongLongMap map = LongLongMap.builder().build();
  private ForkJoinPool pool = ForkJoinPool.commonPool();
  private long[][] arrays = {};
  private long sum;

  @Setup(Level.Trial)
  public void prepare() {
    pool = new ForkJoinPool(threads);
    map.close();
    map = LongLongMap.builder().capacity(entries).build();
    long[] keys = LongStream.range(0, entries).map(i -> Hashing.hash(i, 1)).toArray();
    map.insert(keys, keys);
    sum = LongStream.of(keys).sum();
    arrays = new long[ARRAYS][(int) (map.stats().bytes() / Long.BYTES / ARRAYS)];
  }

  @TearDown(Level.Trial)
  public void close() {
    map.close();
    pool.shutdown();
  }

  private long inPool(Callable<Long> task) throws Exception {
    return threads == 1 ? task.call() : pool.submit(task).get();
  }

  private LongStream chosen(LongStream stream) {
    return threads == 1 ? stream : stream.parallel();
  }

  /** Sums the values of the map. */
  @Benchmark
  public long sum() throws Exception {
    long result = inPool(() -> chosen(map.values()).sum());
    if (result != sum) {
      throw new AssertionError("the sum is " + result + ", not " + sum);
    }
    return result;
  }

  /** Reads as many bytes as the map has. */
  @Benchmark
  public long read() throws Exception {
    return inPool(() -> chosen(LongStream.range(0, ARRAYS)).map(i -> total(arrays[(int) i])).sum());
  }

  private static long total(long[] array) {
    long total = 0;
    for (long element : array) {
      total += element;
    }
    return total;
  }
}
