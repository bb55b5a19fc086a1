/** Measures the memory that a structure takes for each entry. */
@NullMarked
package dev.gyre.bench.memory;

import org.jspecify.annotations.NullMarked;
