package dev.gyre.bench.map;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.LongLongMap;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One key at a time from two threads, 95 % of operations {@code get} and 5 % {@code merge}, on
 * random keys that are all there.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Threads(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms3g", "-Xmx3g", "--enable-native-access=ALL-UNNAMED"})
public class SingleKeyBenchmark {

  private static final int MERGES_IN_100 = 5;

  @Param({"1000000"})
  int keyCount;

  private final LongLongMap map = LongLongMap.create();
  private ConcurrentHashMap<Long, Long> rival = new ConcurrentHashMap<>();
  private long[] keys = {};

  /** What a thread draws keys with. */
  @State(Scope.Thread)
  public static class Draw {
    private final SplittableRandom random = new SplittableRandom();
  }

  @Setup(Level.Trial)
  public void fill() {
    keys = new SplittableRandom(1).longs(keyCount).toArray();
    long before = usedHeap();
    rival = new ConcurrentHashMap<>();
    for (long key : keys) {
      rival.put(key, key);
    }
    System.out.printf("%n# ConcurrentHashMap: %d bytes of heap%n", usedHeap() - before);
    for (long key : keys) {
      var _ = map.putIfAbsent(key, key);
    }
    System.out.printf("# LongLongMap: %d bytes off-heap%n", map.byteSize());
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @TearDown(Level.Trial)
  public void close() {
    map.close();
  }

  @Benchmark
  public long longLongMap(Draw draw) {
    long key = keys[draw.random.nextInt(keyCount)];
    return draw.random.nextInt(100) < MERGES_IN_100
        ? map.merge(key, 1, Apply.ADD)
        : map.getOrDefault(key, 0);
  }

  @Benchmark
  public long concurrentHashMap(Draw draw) {
    Long key = keys[draw.random.nextInt(keyCount)];
    return draw.random.nextInt(100) < MERGES_IN_100
        ? rival.merge(key, 1L, Long::sum)
        : rival.getOrDefault(key, 0L);
  }
}
