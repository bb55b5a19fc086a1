/** Benchmarks of group-by and joins beside DuckDB, streams and a ConcurrentHashMap. */
@NullMarked
package dev.gyre.bench.group;

import org.jspecify.annotations.NullMarked;
