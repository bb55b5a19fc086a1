/**
 * Litmus tests as device functions: small programs of two to four threads whose outcomes show what
 * the memory and the scheduler of a target guarantee. {@code dev.gyre.progress.litmus} runs and
 * judges them.
 */
@NullMarked
package dev.gyre.kernels.litmus;

import org.jspecify.annotations.NullMarked;
