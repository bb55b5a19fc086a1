/**
 * Litmus tests as device functions: small programs of two to four threads whose outcomes tell what
 * a target's memory and scheduler guarantee. {@code dev.gyre.progress.litmus} runs and judges them.
 */
@NullMarked
package dev.gyre.kernels.litmus;

import org.jspecify.annotations.NullMarked;
