/**
 * The shim on devices: what TornadoVM's compilers make of the operations of {@code
 * dev.gyre.atomics}.
 *
 * <p>{@link dev.gyre.atomics.tornadovm.Lowering} registers a plugin for each row of the shim's
 * table. What names a backend of TornadoVM's, or its language, is in a package of that backend,
 * {@code opencl} and {@code ptx}; what NVIDIA's backends share in {@code nvidia}; what names Graal
 * in {@code graal}.
 */
@NullMarked
package dev.gyre.atomics.tornadovm;

import org.jspecify.annotations.NullMarked;
