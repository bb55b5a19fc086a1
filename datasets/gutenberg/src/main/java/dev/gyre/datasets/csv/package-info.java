/** CSV tables, read row by row. */
@NullMarked
package dev.gyre.datasets.csv;

import org.jspecify.annotations.NullMarked;
