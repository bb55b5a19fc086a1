/** TornadoVM's CUDA backend: whatever names its classes, or knows or parses its CUDA C. */
@NullMarked
package dev.gyre.atomics.tornadovm.cuda;

import org.jspecify.annotations.NullMarked;
