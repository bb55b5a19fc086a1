/** JMH benchmarks of the maps beside their rivals. */
@NullMarked
package dev.gyre.bench.map;

import org.jspecify.annotations.NullMarked;
