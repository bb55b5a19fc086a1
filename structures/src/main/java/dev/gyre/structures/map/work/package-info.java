/**
 * Who works on a map, and when: steps and workers, the gate and its turnstile, the residence, and
 * the scratch memory that operations borrow.
 */
@NullMarked
package dev.gyre.structures.map.work;

import org.jspecify.annotations.NullMarked;
