/**
 * What is behind a map or set: the present table, its growth and moves, and the bulk operations.
 */
@NullMarked
package dev.gyre.structures.map.store;

import org.jspecify.annotations.NullMarked;
