/**
 * Launches of kernels of the user's that work on Gyre's structures: a launch holds a structure and
 * hands the kernel a ref on it, see {@link dev.gyre.structures.launch.Launchable} and {@link
 * dev.gyre.structures.launch.Launches}.
 */
@NullMarked
package dev.gyre.structures.launch;

import org.jspecify.annotations.NullMarked;
