package dev.gyre.bench.map;

import java.util.SplittableRandom;
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
 * Time to insert, and to find, all of some million random longs.
 *
 * <p>Every map has room for all keys beforehand, and is empty: allocation of tables is not
 * measured. Boxes and nodes, which rivals need per key, are. Parameter {@code map} names the rival
 * and its number of threads.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms7g", "-Xmx7g", "--enable-native-access=ALL-UNNAMED"})
public class MapBenchmark {

  /** Keys and values, and a map for them. */
  @State(Scope.Benchmark)
  public abstract static class Data {

    @Param({
      "GYRE_REFERENCE-2",
      "GYRE_LINE-2",
      "CONCURRENT_HASH_MAP-2",
      "JCTOOLS-2",
      "GYRE_REFERENCE-1",
      "GYRE_LINE-1",
      "FASTUTIL-1"
    })
    String map = "";

    @Param("16000000")
    int keyCount;

    long[] keys = {};
    long[] values = {};
    long[] found = {};
    Rival rival = Rival.of(Rival.Name.FASTUTIL, 1, 1);

    void setUp() {
      String[] parts = map.split("-", 2);
      rival = Rival.of(Rival.Name.valueOf(parts[0]), keyCount, Integer.parseInt(parts[1]));
      keys = new SplittableRandom(4).longs(keyCount).toArray();
      values = new SplittableRandom(5).longs(keyCount).map(bits -> bits | 1).toArray();
      found = new long[keyCount];
    }

    void requireAll(long count) {
      if (count != keyCount) {
        throw new IllegalStateException(map + ": " + count + " keys, not " + keyCount);
      }
    }

    @TearDown(Level.Trial)
    public void tearDown() {
      rival.close();
    }
  }

  /** A map that is empty at every start. */
  public static class Empty extends Data {
    @Setup(Level.Trial)
    public void prepare() {
      setUp();
    }

    @Setup(Level.Invocation)
    public void empty() {
      rival.empty();
      System.gc();
    }
  }

  /** A map with all keys in it. */
  public static class Filled extends Data {
    @Setup(Level.Trial)
    public void prepare() {
      setUp();
      rival.empty();
      requireAll(rival.insert(keys, values));
    }
  }

  @Benchmark
  public long insert(Empty data) {
    long inserted = data.rival.insert(data.keys, data.values);
    data.requireAll(inserted);
    return inserted;
  }

  @Benchmark
  public long find(Filled data) {
    long count = data.rival.find(data.keys, data.found);
    data.requireAll(count);
    return count;
  }
}
