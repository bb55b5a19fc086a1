/**
 * Launcher for TornadoVM's devices, which compiles and runs kernels.
 *
 * <p>For each tree of records a task is defined at run time: a method that TornadoVM compiles. It
 * creates the kernel from arrays and from the numbers in {@link
 * dev.gyre.kernels.tornadovm.Parameters}, and runs it.
 */
@NullMarked
package dev.gyre.kernels.tornadovm;

import org.jspecify.annotations.NullMarked;
