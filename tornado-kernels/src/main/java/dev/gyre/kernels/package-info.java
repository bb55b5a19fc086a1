/**
 * Kernels and launchers: device functions, and how to run them on the JVM or on a GPU.
 *
 * <p>A <em>device function</em> does the work of one device thread. It is a static method, or a
 * method of a kernel's records. The same bytecode runs on the JVM and is compiled for devices.
 * Therefore a device function follows these rules:
 *
 * <ul>
 *   <li>It accesses memory only through the handles of {@code dev.gyre.atomics}.
 *   <li>It creates no objects except records that do not outlive the kernel.
 *   <li>It throws no exceptions and calls only device functions.
 *   <li>Every loop has one exit, and no method returns early.
 * </ul>
 *
 * <p>A {@link dev.gyre.kernels.Kernel} is a record of the arguments of such a function. A {@link
 * dev.gyre.kernels.Launcher} runs it in a {@link dev.gyre.kernels.LaunchShape}.
 */
@NullMarked
package dev.gyre.kernels;

import org.jspecify.annotations.NullMarked;
