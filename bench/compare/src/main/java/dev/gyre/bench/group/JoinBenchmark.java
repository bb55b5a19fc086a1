package dev.gyre.bench.group;

import dev.gyre.datasets.generators.Keys;
import dev.gyre.structures.group.Join;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time of the row numbers of {@code ... FROM l JOIN r USING (k)} for keys that are longs, with the
 * index of the right side. Gyre's row numbers are in order. DuckDB has its default settings, and
 * takes its row numbers from {@code rowid}.
 */
public class JoinBenchmark extends RivalBenchmark {

  /** Selects the left keys that have a match. */
  private static final Keys PERCENT = Keys.uniform(3, 100);

  @Param Sides sides = Sides.ONE_MATCH;

  private Rows left = Rows.NONE;
  private Rows right = Rows.NONE;
  private long[] pairs = {};
  private Join.@Nullable Rows result;

  @Setup(Level.Trial)
  public void prepare() {
    open();
    int keys = sides.keys(rows);
    int rightRows = sides.rightRows(rows);
    IntToLongFunction drawn = drawn(keys, sides.left);
    IntToLongFunction leftKeys =
        i -> PERCENT.longAt(i) < sides.percent ? drawn.applyAsLong(i) : key((long) keys + i);
    left = new Rows(rows, leftKeys, 4);
    Keys repeated = Keys.uniform(5, keys);
    right = new Rows(rightRows, i -> key(keys < rightRows ? repeated.longAt(i) : i), 6);
    if (rival == GroupRival.DUCKDB) {
      duck().load("l", left);
      duck().load("r", right);
    }
  }

  @Setup(Level.Invocation)
  public void forget() {
    pairs = new long[0];
    if (result != null) {
      result.close();
      result = null;
    }
    forgetTable();
  }

  @Benchmark
  public void join() {
    switch (rival) {
      case GYRE -> result = gyre();
      case CONCURRENT_HASH_MAP -> pairs = inPool(this::chained);
      case PARALLEL_STREAM -> pairs = inPool(this::streamed);
      case DUCKDB ->
          duck()
              .run(
                  "CREATE TEMP TABLE result AS"
                      + " SELECT l.rowid AS a, r.rowid AS b FROM l JOIN r USING (k)");
    }
  }

  private Join.Rows gyre() {
    return inPool(
        () -> {
          try (Join join = Join.with(right.batches(), "k")) {
            return join.rows(left.batches(), List.of("k"), Join.How.INNER);
          }
        });
  }

  private static long pair(int leftRow, int rightRow) {
    return (long) leftRow << Integer.SIZE | rightRow;
  }

  /** Joins with a map of the last right row of each key; each row knows the one before. */
  private long[] chained() {
    Rows from = right;
    int[] before = new int[from.size()];
    Map<Long, Integer> last = new ConcurrentHashMap<>(before.length);
    IntStream.range(0, before.length)
        .parallel()
        .forEach(
            row -> {
              Integer other = last.put(from.key(row), row);
              before[row] = other == null ? -1 : other;
            });
    return matches(
        (to, row) -> {
          int match = last.getOrDefault(left.key(row), -1);
          while (match >= 0) {
            to.accept(pair(row, match));
            match = before[match];
          }
        });
  }

  private long[] streamed() {
    Map<Long, List<Integer>> byKey =
        IntStream.range(0, right.size())
            .parallel()
            .boxed()
            .collect(Collectors.groupingByConcurrent(right::key));
    return matches(
        (to, row) ->
            byKey
                .getOrDefault(left.key(row), List.of())
                .forEach(match -> to.accept(pair(row, match))));
  }

  /** Returns the pairs that an action passes for each left row. */
  private long[] matches(ObjIntConsumer<LongConsumer> action) {
    return LongStream.range(0, rows)
        .parallel()
        .mapMulti((row, to) -> action.accept(to, (int) row))
        .toArray();
  }

  /** Compares the last result with Gyre's. */
  @TearDown(Level.Trial)
  public void check() {
    if (rival != GroupRival.GYRE) {
      try (Join.Rows ours = gyre()) {
        int size = Math.toIntExact(ours.size());
        if (rival == GroupRival.DUCKDB) {
          pairs = duck().numbers("SELECT (a << 32) | b AS p FROM result ORDER BY p", size);
        }
        Arrays.parallelSort(pairs);
        requireEqual(
            LongStream.range(0, size)
                .map(i -> pair((int) ours.left().get(i), (int) ours.right().get(i)))
                .toArray(),
            pairs);
      }
    }
    forget();
    left.close();
    right.close();
    closeRival();
  }
}
