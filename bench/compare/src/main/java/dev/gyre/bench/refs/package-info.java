/** Benchmarks of refs: kernels that are records with strategies, on the JVM. */
@NullMarked
package dev.gyre.bench.refs;

import org.jspecify.annotations.NullMarked;
