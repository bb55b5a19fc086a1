package dev.gyre.bench.map;

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
 * Time to insert, to find and to add to all of some million longs.
 *
 * <p>Every map has room for all keys beforehand, and is empty: allocation of tables is not
 * measured. Boxes and nodes, which rivals need per key, are. Results are checked after each
 * invocation. A map that is not for several threads fails with more than one.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xms7g",
      "-Xmx7g",
      "-XX:+UseParallelGC",
      "--enable-native-access=ALL-UNNAMED"
    })
public class MapBenchmark {

  /** The axes, and a map. */
  @State(Scope.Benchmark)
  public abstract static class Axes {

    @Param({
      "GYRE_REFERENCE",
      "GYRE_LINE",
      "CONCURRENT_HASH_MAP",
      "JCTOOLS",
      "FASTUTIL",
      "AGRONA",
      "ECLIPSE",
      "HPPC"
    })
    MapRival rival = MapRival.FASTUTIL;

    @Param({"1", "2"})
    int threads = 1;

    @Param("16000000")
    int keyCount = 1;

    @Param("UNIQUE")
    KeyChoice keys = KeyChoice.UNIQUE;

    @Param("100")
    int hitPercent;

    @Param("0.5")
    double loadFactor = 0.5;

    MapData<long[]> data = MapData.ofLongs(KeyChoice.UNIQUE, 1, 0);
    RivalMap<long[]> map = MapRival.FASTUTIL.ofLongs(new MapRival.Setup(1, 0.5, 1));
    long result;

    void make() {
      map = rival.ofLongs(new MapRival.Setup(keyCount, loadFactor, threads));
      data = MapData.ofLongs(keys, keyCount, hitPercent);
    }

    @TearDown(Level.Trial)
    public void close() {
      map.close();
    }
  }

  /** A map that is empty at every start. */
  public static class Empty extends Axes {
    @Setup(Level.Trial)
    public void prepare() {
      make();
    }

    @Setup(Level.Invocation)
    public void empty() {
      map.empty();
      System.gc();
    }

    @TearDown(Level.Invocation)
    public void check() {
      data.checkInserted(result);
    }
  }

  /** A map with all keys in it. */
  public static class Filled extends Axes {
    @Setup(Level.Trial)
    public void prepare() {
      make();
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
    }

    @TearDown(Level.Invocation)
    public void check() {
      data.checkFound(result);
    }
  }

  @Benchmark
  public long insert(Empty axes) {
    axes.result = axes.map.insert(axes.data.keys(), axes.data.values());
    return axes.result;
  }

  @Benchmark
  public long find(Filled axes) {
    axes.result = axes.map.find(axes.data.queries(), axes.data.found());
    return axes.result;
  }

  @Benchmark
  public long add(Empty axes) {
    axes.result = axes.map.add(axes.data.keys(), axes.data.ones());
    return axes.result;
  }
}
