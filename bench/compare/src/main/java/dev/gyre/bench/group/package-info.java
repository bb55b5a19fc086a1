/** Benchmarks of group-by, compared with DuckDB, streams and a ConcurrentHashMap. */
@NullMarked
package dev.gyre.bench.group;

import org.jspecify.annotations.NullMarked;
