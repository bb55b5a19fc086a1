/**
 * Implementation of maps and sets: the present table, its growth and moves, and bulk operations.
 */
@NullMarked
package dev.gyre.structures.map.store;

import org.jspecify.annotations.NullMarked;
