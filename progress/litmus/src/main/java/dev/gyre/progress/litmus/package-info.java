/**
 * Litmus tests of memory order: device functions of two to four threads whose outcomes show what
 * the memory of a target guarantees, and what runs and judges them.
 */
@NullMarked
package dev.gyre.progress.litmus;

import org.jspecify.annotations.NullMarked;
