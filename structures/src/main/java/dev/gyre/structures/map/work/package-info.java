/**
 * Workers of a map: tasks and workers, reservations for single keys, and scratch memory of
 * operations.
 */
@Internal
@NullMarked
package dev.gyre.structures.map.work;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
