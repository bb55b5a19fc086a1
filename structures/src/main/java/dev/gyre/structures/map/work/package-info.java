/**
 * Who works on a map: steps and workers, what single keys have reserved, and the scratch memory
 * that operations borrow.
 */
@NullMarked
package dev.gyre.structures.map.work;

import org.jspecify.annotations.NullMarked;
