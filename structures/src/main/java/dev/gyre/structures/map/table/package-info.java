/** Tables of fixed capacity with their kernels: allocation, access, and loading from files. */
@Internal
@NullMarked
package dev.gyre.structures.map.table;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
