/**
 * Implementation of maps and sets: the present table, its growth and moves, and bulk operations.
 */
@Internal
@NullMarked
package dev.gyre.structures.map.store;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
