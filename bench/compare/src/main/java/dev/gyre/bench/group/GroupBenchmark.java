package dev.gyre.bench.group;

import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.RowNumbers;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
 * Time of {@code SELECT k, count(*), sum(v), min(v), max(v) ... GROUP BY k} over rows of two longs,
 * which are in the memory of the rival. The result stays in the memory of the rival, too. After the
 * measurement the last result is compared with Gyre's, row by row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx8g", "-XX:+UseParallelGC", "--enable-native-access=ALL-UNNAMED"})
public class GroupBenchmark {

  @Param({"GYRE", "CONCURRENT_HASH_MAP", "PARALLEL_STREAM", "DUCKDB"})
  GroupRival rival = GroupRival.GYRE;

  @Param("10000000")
  int rows = 1;

  @Param({"100", "100000", "10000000"})
  int groups = 1;

  @Param({"UNIFORM", "ZIPF_1", "ZIPF_1_5"})
  Spread keys = Spread.UNIFORM;

  /** Whether keys are the numbers below {@link #groups}, not scattered ones. */
  @Param("false")
  boolean dense;

  @Param("2")
  int threads = 1;

  private @Nullable Rows data;
  private List<Batch> batches = List.of();
  private @Nullable DuckTables duck;
  private ForkJoinPool pool = ForkJoinPool.commonPool();
  private Map<Long, LongSummaryStatistics> map = Map.of();
  private @Nullable Groups result;

  @Setup(Level.Trial)
  public void prepare() {
    Rows made = new Rows(rows, groups, keys, dense, 1);
    data = made;
    pool = new ForkJoinPool(threads);
    batches = made.batches();
    if (rival == GroupRival.DUCKDB) {
      duck = new DuckTables(threads);
      duck.load("t", made);
    }
  }

  @Setup(Level.Invocation)
  public void forget() {
    map = Map.of();
    if (result != null) {
      result.close();
      result = null;
    }
    if (duck != null) {
      duck.run("DROP TABLE IF EXISTS r");
    }
  }

  @Benchmark
  public void group() {
    switch (rival) {
      case GYRE -> result = gyre();
      case CONCURRENT_HASH_MAP -> map = merged();
      case PARALLEL_STREAM -> map = collected();
      case DUCKDB -> grouped();
    }
  }

  private Groups gyre() {
    try (GroupBy by = GroupBy.on("k").count().sum("v").min("v").max("v")) {
      pool.submit(() -> batches.parallelStream().forEach(by::add)).join();
      return by.result();
    }
  }

  private Rows data() {
    return Objects.requireNonNull(data);
  }

  private Map<Long, LongSummaryStatistics> merged() {
    Rows from = data();
    Map<Long, LongSummaryStatistics> sums = new ConcurrentHashMap<>();
    pool.submit(
            () ->
                IntStream.range(0, rows)
                    .parallel()
                    .forEach(
                        i -> {
                          LongSummaryStatistics sum =
                              sums.computeIfAbsent(from.key(i), _ -> new LongSummaryStatistics());
                          synchronized (sum) {
                            sum.accept(from.value(i));
                          }
                        }))
        .join();
    return sums;
  }

  private Map<Long, LongSummaryStatistics> collected() {
    Rows from = data();
    return pool.submit(
            () ->
                IntStream.range(0, rows)
                    .parallel()
                    .boxed()
                    .collect(
                        Collectors.groupingByConcurrent(
                            from::key, Collectors.summarizingLong(from::value))))
        .join();
  }

  private void grouped() {
    Objects.requireNonNull(duck)
        .run(
            "CREATE TEMP TABLE r AS SELECT k, count(*) AS c, sum(v) AS s, min(v) AS l, max(v) AS h"
                + " FROM t GROUP BY k");
  }

  /** Returns the last result of the rival: five numbers per group, sorted by key. */
  private long[] numbers(int count) {
    if (rival == GroupRival.DUCKDB) {
      return Objects.requireNonNull(duck)
          .numbers("SELECT k, c, s, l, h FROM r ORDER BY k", 5 * count);
    }
    long[] numbers = new long[5 * map.size()];
    int at = 0;
    for (var entry : new TreeMap<>(map).entrySet()) {
      LongSummaryStatistics sum = entry.getValue();
      numbers[at++] = entry.getKey();
      numbers[at++] = sum.getCount();
      numbers[at++] = sum.getSum();
      numbers[at++] = sum.getMin();
      numbers[at++] = sum.getMax();
    }
    return numbers;
  }

  private static long[] numbers(Groups groups) {
    long[] numbers = new long[Math.toIntExact(5 * groups.rows())];
    List<GroupColumn> columns = groups.columns();
    try (RowNumbers order = groups.order(Groups.By.ascending("k"))) {
      for (int i = 0; i < order.size(); i++) {
        for (int column = 0; column < columns.size(); column++) {
          numbers[5 * i + column] = columns.get(column).getLong(order.get(i));
        }
      }
    }
    return numbers;
  }

  /** Compares the last result with Gyre's. */
  @TearDown(Level.Trial)
  public void check() {
    if (rival != GroupRival.GYRE) {
      try (Groups ours = gyre()) {
        long[] expected = numbers(ours);
        if (!Arrays.equals(expected, numbers(Math.toIntExact(ours.rows())))) {
          throw new IllegalStateException("the results of %s and Gyre differ".formatted(rival));
        }
      }
    }
    forget();
    pool.close();
    data().close();
    if (duck != null) {
      duck.close();
    }
  }
}
