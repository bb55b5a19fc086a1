/**
 * Workers of a map: steps and workers, reservations for single keys, and scratch memory of
 * operations.
 */
@NullMarked
package dev.gyre.structures.map.work;

import org.jspecify.annotations.NullMarked;
