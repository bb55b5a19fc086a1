package dev.gyre.bench.group;

import dev.gyre.datasets.generators.Keys;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A query over rows that are in the memory of the rival. The result stays in the memory of the
 * rival, too. After the measurement the last result is compared with Gyre's, row by row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 15)
@Measurement(iterations = 10)
@Fork(
    value = 1,
    // Not lost if an option of the command line replaces the others.
    jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED",
    jvmArgsAppend = {"-Xmx8g", "-XX:+UseParallelGC"})
public abstract class RivalBenchmark {

  private static final Keys SCATTERED = Keys.unique(1);

  private static final long RANK_SEED = 2;

  private static final int MAX_ZIPF = 1 << 26;

  @Param({"GYRE", "CONCURRENT_HASH_MAP", "PARALLEL_STREAM", "DUCKDB"})
  GroupRival rival = GroupRival.GYRE;

  @Param("10000000")
  int rows = 1;

  /** Whether keys are small numbers, not scattered ones. */
  @Param("false")
  boolean dense;

  @Param("2")
  int threads = 1;

  private ForkJoinPool pool = ForkJoinPool.commonPool();
  private @Nullable DuckTables duck;

  final void open() {
    pool = new ForkJoinPool(threads);
    if (rival == GroupRival.DUCKDB) {
      duck = new DuckTables(threads);
    }
  }

  /** Returns the key of a rank. */
  final long key(long rank) {
    return dense ? rank : SCATTERED.longAt(rank);
  }

  /** Returns random keys with the ranks below a number; with Zipf's law, below 2^26 at most. */
  final IntToLongFunction drawn(int distinct, Spread spread) {
    Keys ranks =
        spread == Spread.UNIFORM
            ? Keys.uniform(RANK_SEED, distinct)
            : Keys.zipfRanks(RANK_SEED, Math.min(distinct, MAX_ZIPF), spread.exponent);
    return row -> key(ranks.longAt(row));
  }

  final DuckTables duck() {
    return Objects.requireNonNull(duck);
  }

  /** Runs work whose parallel streams use the threads of this benchmark. */
  final <T> T inPool(Supplier<T> work) {
    return pool.submit(work::get).join();
  }

  final void forgetTable() {
    if (duck != null) {
      duck.run("DROP TABLE IF EXISTS result");
    }
  }

  /** Compares the numbers of two results. */
  final void requireEqual(long[] expected, long[] numbers) {
    if (!Arrays.equals(expected, numbers)) {
      throw new IllegalStateException("the results of %s and Gyre differ".formatted(rival));
    }
  }

  final void closeRival() {
    pool.close();
    if (duck != null) {
      duck.close();
    }
  }
}
