/**
 * The shim on devices: what TornadoVM's compilers make of the operations of {@code
 * dev.gyre.atomics}.
 *
 * <p>{@link dev.gyre.atomics.tornadovm.Lowering} registers a plugin for each row of the shim's
 * table. Code that uses classes or the language of one backend is in a package of that backend,
 * {@code opencl}, {@code ptx} or {@code cuda}. Code that NVIDIA's backends share is in {@code
 * nvidia}, C dialects are in {@code c}, and Graal is in {@code graal}.
 */
@NullMarked
package dev.gyre.atomics.tornadovm;

import org.jspecify.annotations.NullMarked;
