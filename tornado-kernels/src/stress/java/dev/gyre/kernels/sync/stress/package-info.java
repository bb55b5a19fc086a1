/**
 * Programs that strain latches, barriers and semaphores on any target, at block, device and system
 * scope, and count what goes wrong.
 *
 * <p>{@link dev.gyre.kernels.sync.stress.SyncStress} runs them. Threads are in groups of equal size
 * with words of their own. All of them must run at once, so launches are concurrent.
 */
@NullMarked
package dev.gyre.kernels.sync.stress;

import org.jspecify.annotations.NullMarked;
