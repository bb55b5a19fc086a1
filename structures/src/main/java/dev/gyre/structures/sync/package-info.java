/**
 * Latch, barrier and semaphore: what users hold, on the JVM and for kernels of their own.
 *
 * <p>Each owns memory that its device functions, in {@code dev.gyre.kernels.sync}, work on: a
 * kernel takes it as a handle of the scope that its threads need.
 */
@NullMarked
package dev.gyre.structures.sync;

import org.jspecify.annotations.NullMarked;
