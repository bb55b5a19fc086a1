/**
 * Device functions, and the means to launch them.
 *
 * <p>A <em>device function</em> is a static method, or a method of a kernel's records, that does
 * the work of one device thread of many. It touches memory only through the handles of {@code
 * dev.gyre.atomics}, makes no objects but records that do not outlive the kernel, throws nothing of
 * its own and calls only device functions, so that the same bytecode runs on the JVM and is
 * compiled for a device. To compile well everywhere, every loop has one exit and no method returns
 * early.
 *
 * <p>A {@link dev.gyre.kernels.Kernel} is a record of such a function's arguments; a {@link
 * dev.gyre.kernels.Launcher} runs it on a target in a {@link dev.gyre.kernels.LaunchShape}.
 */
@NullMarked
package dev.gyre.kernels;

import org.jspecify.annotations.NullMarked;
