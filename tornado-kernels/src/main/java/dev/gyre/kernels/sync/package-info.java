/**
 * Latch, barrier and semaphore as device functions, with block, device or system scope.
 *
 * <p>Their threads must run at the same time: the threads of one block, of a grid that fits on the
 * device, or of a concurrent launch on the JVM. Each wait has a limit of polls, and its result says
 * whether it was reached.
 */
@NullMarked
package dev.gyre.kernels.sync;

import org.jspecify.annotations.NullMarked;
