/** Benchmarks of kernels on devices, which JMH cannot time. */
@NullMarked
package dev.gyre.bench.device;

import org.jspecify.annotations.NullMarked;
