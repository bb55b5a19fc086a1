package dev.gyre.bench.map;

import dev.gyre.bench.map.RivalMap.KeyType;
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
 * Time of an operation on all keys of a map: bulk, one by one, while the map grows, or a walk.
 *
 * <p>Except in {@link #grow}, a map has capacity for all keys beforehand and is empty: allocation
 * of tables is not measured. Boxes and nodes, which rivals need per key, are. Results are checked
 * outside the timed region. A map that is not for several threads fails with more than one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    // Not lost if an option of the command line replaces the others.
    jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED",
    jvmArgsAppend = {
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC",
      "--sun-misc-unsafe-memory-access=allow"
    })
public class MapBenchmark {

  private static final int OTHER_KEYS = 1 << 12;
  private static final int OTHER_RUNS = 3_000;

  /** A map with its data; the types of both agree. */
  record Case<A>(RivalMap<A> map, MapData<A> data) {
    long insert() {
      return map.insert(data.keys(), data.values());
    }

    long put() {
      return map.put(data.keys(), data.values());
    }

    long add() {
      return map.add(data.keys(), data.ones());
    }

    long find() {
      return map.find(data.queries(), data.found());
    }

    long get() {
      return map.get(data.queries(), data.found());
    }

    long mixed() {
      return map.mixed(data.queries(), data.found());
    }
  }

  /** The axes, and a map. */
  @State(Scope.Benchmark)
  public abstract static class Axes {

    @Param({
      "GYRE_REFERENCE",
      "GYRE_LINE",
      "GYRE_PACKED",
      "CONCURRENT_HASH_MAP",
      "JCTOOLS",
      "FASTUTIL",
      "AGRONA",
      "ECLIPSE",
      "HPPC"
    })
    Rival rival = Rival.FASTUTIL;

    @Param("LONG")
    KeyType type = KeyType.LONG;

    @Param("1048576")
    int n = 1;

    @Param("1")
    int threads = 1;

    @Param("UNIQUE")
    KeyChoice keys = KeyChoice.UNIQUE;

    @Param("100")
    int hits;

    @Param("0.5")
    double load = 0.5;

    /** Whether all our other layouts and types of keys have been used in the process before. */
    @Param("false")
    boolean afterOthers;

    Case<?> it =
        new Case<>(
            RivalMap.ofLongs(Rival.FASTUTIL, new RivalMap.Setup(1, 0.5, 1)),
            MapData.ofLongs(KeyChoice.UNIQUE, 1, 0));
    long result;

    TimedRegion region = new TimedRegion();

    /** JMH can give the counters to one method only. */
    @Setup(Level.Trial)
    public void take(TimedRegion counters) {
      region = counters;
    }

    void make() {
      if (afterOthers) {
        useOthers();
      }
      it = of(rival, type, n);
    }

    private Case<?> of(Rival map, KeyType ofType, int size) {
      RivalMap.Setup setup = new RivalMap.Setup(size, load, threads);
      return ofType == KeyType.LONG
          ? new Case<>(RivalMap.ofLongs(map, setup), MapData.ofLongs(keys, size, hits))
          : new Case<>(RivalMap.ofInts(map, setup), MapData.ofInts(keys, size, hits));
    }

    private void useOthers() {
      for (KeyType other : KeyType.values()) {
        for (Rival map : other.rivals()) {
          if (map.artifact().equals("gyre") && (map != rival || other != type)) {
            Case<?> one = of(map, other, OTHER_KEYS);
            for (int run = 0; run < OTHER_RUNS; run++) {
              one.map.empty();
              one.data.checkInserted(one.insert());
              one.data.checkCounted(one.find());
            }
            one.map.close();
          }
        }
      }
    }

    @TearDown(Level.Trial)
    public void close() {
      it.map.close();
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
      begin();
      region.begin();
    }

    void begin() {
      it.map.empty();
    }

    @TearDown(Level.Invocation)
    public void check() {
      region.end();
      it.data.checkInserted(result);
    }
  }

  /** A map that is new at every start. */
  public static class New extends Empty {
    @Override
    void begin() {
      it.map.renew();
    }
  }

  /** A map with all keys in it. */
  public static class Filled extends Axes {
    @Setup(Level.Trial)
    public void prepare() {
      make();
      it.data.checkInserted(it.insert());
      it.data.checkFound(it.find());
    }

    @Setup(Level.Iteration)
    public void begin() {
      region.begin();
    }

    @TearDown(Level.Iteration)
    public void end() {
      region.end();
    }
  }

  @Benchmark
  public long insert(Empty axes) {
    axes.result = axes.it.insert();
    return axes.result;
  }

  @Benchmark
  public long put(Empty axes) {
    axes.result = axes.it.put();
    return axes.result;
  }

  @Benchmark
  public long add(Empty axes) {
    axes.result = axes.it.add();
    return axes.result;
  }

  @Benchmark
  public long grow(New axes) {
    axes.result = axes.it.insert();
    return axes.result;
  }

  @Benchmark
  public long find(Filled axes) {
    return checked(axes, axes.it.find());
  }

  @Benchmark
  public long get(Filled axes) {
    return checked(axes, axes.it.get());
  }

  @Benchmark
  public long mixed(Filled axes) {
    return checked(axes, axes.it.mixed());
  }

  @Benchmark
  public long each(Filled axes) {
    long sum = axes.it.map.sum();
    axes.it.data.checkSum(sum);
    return sum;
  }

  private static long checked(Axes axes, long found) {
    axes.it.data.checkCounted(found);
    return found;
  }
}
