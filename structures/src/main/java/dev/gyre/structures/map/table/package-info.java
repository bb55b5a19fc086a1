/** Tables of fixed capacity with their kernels: allocation, access, and loading from files. */
@NullMarked
package dev.gyre.structures.map.table;

import org.jspecify.annotations.NullMarked;
