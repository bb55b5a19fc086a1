/** TornadoVM's PTX backend: whatever names its classes, or parses the text that it makes. */
@NullMarked
package dev.gyre.atomics.tornadovm.ptx;

import org.jspecify.annotations.NullMarked;
