/**
 * Launches of a user's kernels that work on maps, sets and tries.
 *
 * <p>A launch pins a structure and gives the kernel a ref to it: see {@link
 * dev.gyre.structures.launch.Launchable}, and {@link dev.gyre.structures.launch.Launches} for
 * several structures at once.
 */
@NullMarked
package dev.gyre.structures.launch;

import org.jspecify.annotations.NullMarked;
