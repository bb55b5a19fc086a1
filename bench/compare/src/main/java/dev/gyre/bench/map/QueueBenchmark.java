package dev.gyre.bench.map;

import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Time of one step of a queue: put a new key, get a key that is neither new nor old, and remove the
 * oldest. All threads share one map, in which each has a queue of its own. The map starts small,
 * and the number of its keys is constant after the setup. Keys are scattered; texts have 1 to 200
 * bytes. Keys are made in the timed region, for all maps alike.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    // Not lost if an option of the command line replaces the others.
    jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED",
    jvmArgsAppend = {
      "-Xms2g",
      "-Xmx2g",
      // Otherwise the first use of each page of the heap counts.
      "-XX:+AlwaysPreTouch"
    })
@State(Scope.Benchmark)
public class QueueBenchmark {

  private static final String PADDING = ".".repeat(200);

  /** Types of keys; all values are numbers. */
  public enum Kind {
    LONG,
    INT,
    TEXT,
    RECORD
  }

  record Key(long number, int part) {}

  record Value(long number) {}

  /** A map whose keys are represented by numbers other than 0. */
  record Numbered(LongConsumer put, LongPredicate get, LongPredicate remove) {}

  static Numbered gyre(Kind kind) {
    return switch (kind) {
      case LONG -> {
        LongLongMap map = LongLongMap.builder().removable().build();
        yield new Numbered(
            n -> map.put(key(n), n),
            n -> map.get(key(n)).isPresent(),
            n -> map.remove(key(n)).isPresent());
      }
      case INT -> {
        IntIntMap map = IntIntMap.builder().removable().build();
        yield new Numbered(
            n -> map.put((int) key(n), (int) n),
            n -> map.get((int) key(n)).isPresent(),
            n -> map.remove((int) key(n)).isPresent());
      }
      case TEXT -> {
        TextLongMap map = TextLongMap.builder().removable().build();
        yield new Numbered(
            n -> map.put(text(n), n),
            n -> map.get(text(n)).isPresent(),
            n -> map.remove(text(n)).isPresent());
      }
      default -> {
        var map = RecordMap.builder(RecordSchema.of(Key.class, Value.class)).removable().build();
        yield new Numbered(
            n -> map.put(record(n), new Value(n)),
            n -> map.get(record(n)).isPresent(),
            n -> map.remove(record(n)).isPresent());
      }
    };
  }

  static Numbered fastutil(Kind kind) {
    if (kind == Kind.LONG) {
      var map = new Long2LongOpenHashMap();
      return new Numbered(
          n -> map.put(key(n), n), n -> map.get(key(n)) != 0, n -> map.remove(key(n)) != 0);
    }
    if (kind == Kind.INT) {
      var map = new Int2IntOpenHashMap();
      return new Numbered(
          n -> map.put((int) key(n), (int) n),
          n -> map.get((int) key(n)) != 0,
          n -> map.remove((int) key(n)) != 0);
    }
    LongFunction<Object> key = boxed(kind);
    var map = new Object2LongOpenHashMap<>();
    return new Numbered(
        n -> map.put(key.apply(n), n),
        n -> map.getLong(key.apply(n)) != 0,
        n -> map.removeLong(key.apply(n)) != 0);
  }

  static Numbered jdk(Kind kind) {
    LongFunction<Object> key = boxed(kind);
    var map = new ConcurrentHashMap<Object, Object>();
    return new Numbered(
        n -> map.put(key.apply(n), n),
        n -> map.get(key.apply(n)) != null,
        n -> map.remove(key.apply(n)) != null);
  }

  private static LongFunction<Object> boxed(Kind kind) {
    return switch (kind) {
      case LONG -> QueueBenchmark::key;
      case INT -> n -> (int) key(n);
      case TEXT -> QueueBenchmark::text;
      case RECORD -> QueueBenchmark::record;
    };
  }

  private static long key(long n) {
    return n * 0x9E3779B97F4A7C15L;
  }

  private static Key record(long n) {
    return new Key(key(n), (int) n);
  }

  private static String text(long n) {
    String digits = Long.toString(n, Character.MAX_RADIX);
    long length = 1 + Long.remainderUnsigned(key(n), PADDING.length());
    return digits + PADDING.substring(0, (int) Math.max(0, length - digits.length()));
  }

  @Param({"GYRE", "CONCURRENT_HASH_MAP", "FASTUTIL"})
  String rival = "GYRE";

  @Param({"LONG", "INT", "TEXT", "RECORD"})
  Kind kind = Kind.LONG;

  @Param({"1000", "1000000"})
  int live = 1;

  Numbered map = jdk(kind);

  @Setup(Level.Trial)
  public void make() {
    map =
        switch (rival) {
          case "GYRE" -> gyre(kind);
          case "FASTUTIL" -> fastutil(kind);
          default -> jdk(kind);
        };
  }

  /** The queue of a thread, and the resident memory of the process after each iteration. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Queue {

    private long next;
    private long step;
    private long length;

    public long residentKilobytes;

    @Setup(Level.Trial)
    public void fill(QueueBenchmark all, ThreadParams thread) {
      step = thread.getThreadCount();
      if (all.rival.equals("FASTUTIL") && step > 1) {
        throw new IllegalArgumentException("fastutil is for one thread");
      }
      length = all.live / step * step;
      long first = step + thread.getThreadIndex();
      for (next = first; next < first + length; next += step) {
        all.map.put.accept(next);
      }
    }

    @TearDown(Level.Iteration)
    public void measure(ThreadParams thread) throws IOException {
      String status = Files.readString(Path.of("/proc/self/status"));
      String resident = status.replaceAll("(?s).*VmRSS:\\s*(\\d+).*", "$1");
      residentKilobytes = thread.getThreadIndex() > 0 ? 0 : Long.parseLong(resident);
    }
  }

  @Benchmark
  public void step(Queue queue) {
    long n = queue.next;
    queue.next += queue.step;
    map.put.accept(n);
    boolean found = map.get.test(n - queue.length / 2 / queue.step * queue.step);
    if (!map.remove.test(n - queue.length) || !found) {
      throw new IllegalStateException("key lost near " + n);
    }
  }
}
