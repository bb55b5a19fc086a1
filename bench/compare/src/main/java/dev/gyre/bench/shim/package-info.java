/** Benchmarks of the shim's handles beside raw {@code VarHandle}s. */
@NullMarked
package dev.gyre.bench.shim;

import org.jspecify.annotations.NullMarked;
