package dev.gyre.bench.group;

/** What groups or joins rows in the benchmarks of this package. */
public enum GroupRival {
  GYRE,
  /** A map with a synchronised object of sums per key, or with row numbers. */
  CONCURRENT_HASH_MAP,
  /** {@code Collectors.groupingByConcurrent}. */
  PARALLEL_STREAM,
  /** SQL over tables of DuckDB, by JDBC; its jar is on the class path with {@code -Pduckdb}. */
  DUCKDB
}
