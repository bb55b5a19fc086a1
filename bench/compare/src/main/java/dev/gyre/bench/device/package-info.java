/** Benchmarks on devices: kernels alone, and whole calls. */
@NullMarked
package dev.gyre.bench.device;

import org.jspecify.annotations.NullMarked;
