/** Benchmarks of group-by and joins, compared with DuckDB, streams and a ConcurrentHashMap. */
@NullMarked
package dev.gyre.bench.group;

import org.jspecify.annotations.NullMarked;
