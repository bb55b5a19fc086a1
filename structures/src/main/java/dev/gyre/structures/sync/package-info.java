/**
 * Latch, barrier and semaphore: what users hold, on the JVM and for kernels of their own.
 *
 * <p>Each owns memory that its device functions, in {@code dev.gyre.kernels.sync}, work on: a
 * kernel takes it as a handle of the scope that its threads need. Once one is closed, all that is
 * asked of it throws a {@link dev.gyre.atomics.ClosedException}, also in threads that wait there.
 */
@NullMarked
package dev.gyre.structures.sync;

import org.jspecify.annotations.NullMarked;
