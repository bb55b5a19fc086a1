/** Benchmarks of barriers and semaphores, compared with the JDK. */
@NullMarked
package dev.gyre.bench.sync;

import org.jspecify.annotations.NullMarked;
