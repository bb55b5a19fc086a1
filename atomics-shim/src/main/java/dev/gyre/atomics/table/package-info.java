/** Operations of the shim as data: the build generates, lowers and tests them row by row. */
@NullMarked
package dev.gyre.atomics.table;

import org.jspecify.annotations.NullMarked;
