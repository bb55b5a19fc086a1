/**
 * Kernels on TornadoVM's devices: the launcher that compiles and runs them.
 *
 * <p>For each tree of records a task is made at run time: a method that TornadoVM compiles. It
 * makes the kernel of arrays and of numbers from {@link dev.gyre.kernels.tornadovm.Parameters}, and
 * runs it.
 */
@NullMarked
package dev.gyre.kernels.tornadovm;

import org.jspecify.annotations.NullMarked;
