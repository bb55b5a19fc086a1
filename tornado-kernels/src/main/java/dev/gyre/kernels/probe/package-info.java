/**
 * Kernels whose threads wait for each other, so that they show how much forward progress the
 * scheduler of a target gives. {@code dev.gyre.progress.probe} runs and judges them.
 */
@Internal
@NullMarked
package dev.gyre.kernels.probe;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
