package dev.gyre.bench.group;

import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.RowNumbers;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time of {@code SELECT k, count(*), sum(v), min(v), max(v) ... GROUP BY k} over rows of two longs.
 */
public class GroupBenchmark extends RivalBenchmark {

  @Param({"100", "100000", "10000000"})
  int groups = 1;

  @Param({"UNIFORM", "ZIPF_1", "ZIPF_1_5"})
  Spread keys = Spread.UNIFORM;

  private Rows data = Rows.NONE;
  private List<Batch> batches = List.of();
  private Map<Long, LongSummaryStatistics> map = Map.of();
  private @Nullable Groups result;

  @Setup(Level.Trial)
  public void prepare() {
    open();
    data = new Rows(rows, drawn(groups, keys), 4);
    batches = data.batches();
    if (rival == GroupRival.DUCKDB) {
      duck().load("t", data);
    }
  }

  @Setup(Level.Invocation)
  public void forget() {
    map = Map.of();
    if (result != null) {
      result.close();
      result = null;
    }
    forgetTable();
  }

  @Benchmark
  public void group() {
    switch (rival) {
      case GYRE -> result = gyre();
      case CONCURRENT_HASH_MAP -> map = inPool(this::merged);
      case PARALLEL_STREAM -> map = inPool(this::collected);
      case DUCKDB -> grouped();
    }
  }

  private Groups gyre() {
    return inPool(
        () -> {
          try (GroupBy by = GroupBy.on("k").count().sum("v").min("v").max("v")) {
            batches.parallelStream().forEach(by::add);
            return by.result();
          }
        });
  }

  private Map<Long, LongSummaryStatistics> merged() {
    Rows from = data;
    Map<Long, LongSummaryStatistics> sums = new ConcurrentHashMap<>();
    IntStream.range(0, rows)
        .parallel()
        .forEach(
            i -> {
              LongSummaryStatistics sum =
                  sums.computeIfAbsent(from.key(i), _ -> new LongSummaryStatistics());
              synchronized (sum) {
                sum.accept(from.value(i));
              }
            });
    return sums;
  }

  private Map<Long, LongSummaryStatistics> collected() {
    Rows from = data;
    return IntStream.range(0, rows)
        .parallel()
        .boxed()
        .collect(
            Collectors.groupingByConcurrent(from::key, Collectors.summarizingLong(from::value)));
  }

  private void grouped() {
    duck()
        .run(
            "CREATE TEMP TABLE result AS SELECT k, count(*) AS c, sum(v) AS s, min(v) AS l, max(v)"
                + " AS h FROM t GROUP BY k");
  }

  /** Returns the last result of the rival: five numbers per group, sorted by key. */
  private long[] numbers(int count) {
    if (rival == GroupRival.DUCKDB) {
      return duck().numbers("SELECT k, c, s, l, h FROM result ORDER BY k", 5 * count);
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
        requireEqual(numbers(ours), numbers(Math.toIntExact(ours.rows())));
      }
    }
    forget();
    data.close();
    closeRival();
  }
}
