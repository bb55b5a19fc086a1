/**
 * Tables of a fixed capacity, each with the kernels that work on it: how they are allocated, and
 * how the table of a file is adopted.
 */
@NullMarked
package dev.gyre.structures.map.table;

import org.jspecify.annotations.NullMarked;
