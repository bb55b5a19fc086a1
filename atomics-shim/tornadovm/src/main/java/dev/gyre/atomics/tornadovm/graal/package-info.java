/**
 * Interface to Graal and JVMCI: all code that uses their classes. A call of the shim is a node
 * here, which becomes text of a backend's language through that backend's {@code Printer}.
 */
@NullMarked
package dev.gyre.atomics.tornadovm.graal;

import org.jspecify.annotations.NullMarked;
