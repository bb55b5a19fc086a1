/** The shim's operations as data: what is generated, lowered and tested row by row. */
@NullMarked
package dev.gyre.atomics.table;

import org.jspecify.annotations.NullMarked;
