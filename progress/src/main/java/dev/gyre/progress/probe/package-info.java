/** Runs kernels that end only on a scheduler with enough forward progress, each in a process. */
@Internal
@NullMarked
package dev.gyre.progress.probe;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
