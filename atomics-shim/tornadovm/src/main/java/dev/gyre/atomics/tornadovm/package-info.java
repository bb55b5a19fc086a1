/**
 * The shim on devices: what TornadoVM's compilers make of the operations of {@code
 * dev.gyre.atomics}.
 *
 * <p>{@link dev.gyre.atomics.tornadovm.Lowering} registers a plugin for each row of the shim's
 * table. All that is known of a language is in one class: {@code PtxSyntax}, {@code OpenClSyntax},
 * and {@code InlinePtxSyntax} for NVIDIA's OpenCL.
 */
@NullMarked
package dev.gyre.atomics.tornadovm;

import org.jspecify.annotations.NullMarked;
