/** Inserts by regions on a device: how keys come into the order of a table, and from it there. */
@NullMarked
package dev.gyre.structures.map.region;

import org.jspecify.annotations.NullMarked;
