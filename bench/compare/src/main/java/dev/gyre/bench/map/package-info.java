/** Maps and their rivals, and JMH benchmarks of them. */
@NullMarked
package dev.gyre.bench.map;

import org.jspecify.annotations.NullMarked;
