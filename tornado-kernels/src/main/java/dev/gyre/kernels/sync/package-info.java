/**
 * Latch, barrier and semaphores as device functions, at block, device and system scope.
 *
 * <p>They are for threads that run at the same time: those of one block, of a grid that is resident
 * at once, or of the JVM in a concurrent launch. Waits have a limit of polls and say when they
 * reached it.
 */
@NullMarked
package dev.gyre.kernels.sync;

import org.jspecify.annotations.NullMarked;
