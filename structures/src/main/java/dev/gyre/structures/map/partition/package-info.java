/** Kernels and scratch memory of a radix-partitioned insert. */
@Internal
@NullMarked
package dev.gyre.structures.map.partition;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
