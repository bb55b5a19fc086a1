/** Runs kernels that end only on a scheduler with enough forward progress, each in a process. */
@NullMarked
package dev.gyre.progress.probe;

import org.jspecify.annotations.NullMarked;
