/** Benchmarks of the shim's handles compared with raw {@code VarHandle}s. */
@NullMarked
package dev.gyre.bench.shim;

import org.jspecify.annotations.NullMarked;
