package dev.gyre.bench.group;

/** What groups rows in the benchmarks of this package. */
public enum GroupRival {
  GYRE,
  /** A synchronised object of sums per key. */
  CONCURRENT_HASH_MAP,
  /** {@code Collectors.groupingByConcurrent}. */
  PARALLEL_STREAM,
  /** SQL over tables of DuckDB, by JDBC; its jar is on the class path with {@code -Pduckdb}. */
  DUCKDB
}
