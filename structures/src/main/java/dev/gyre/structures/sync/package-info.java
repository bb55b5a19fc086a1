/**
 * Latch, barrier and semaphore, for threads of the JVM and for kernels.
 *
 * <p>Each object owns a few words of off-heap memory. A kernel takes this memory as a handle, with
 * the scope that its threads need, and calls the device functions of {@code dev.gyre.kernels.sync}.
 * Close each object. After that, all methods throw {@link dev.gyre.atomics.ClosedException}, also
 * in threads that are waiting.
 */
@NullMarked
package dev.gyre.structures.sync;

import org.jspecify.annotations.NullMarked;
