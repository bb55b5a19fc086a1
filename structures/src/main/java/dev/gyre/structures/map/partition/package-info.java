/** Kernels and scratch memory of a radix-partitioned insert. */
@NullMarked
package dev.gyre.structures.map.partition;

import org.jspecify.annotations.NullMarked;
