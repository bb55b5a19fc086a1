/** Builds the kernels of a partitioned insert and the scratch memory that they use. */
@NullMarked
package dev.gyre.structures.map.partition;

import org.jspecify.annotations.NullMarked;
