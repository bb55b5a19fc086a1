/**
 * Kernels on TornadoVM's devices: task methods, and the launcher that compiles and runs them.
 *
 * <p>A {@link dev.gyre.kernels.tornadovm.KernelBinding} says which task method stands for which
 * kernel; {@link dev.gyre.kernels.tornadovm.Parameters} is what all task methods are given first.
 */
@NullMarked
package dev.gyre.kernels.tornadovm;

import org.jspecify.annotations.NullMarked;
