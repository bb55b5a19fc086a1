/** TornadoVM's PTX backend: all code that uses its classes, or parses its text. */
@NullMarked
package dev.gyre.atomics.tornadovm.ptx;

import org.jspecify.annotations.NullMarked;
