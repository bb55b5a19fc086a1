/** TornadoVM's CUDA backend: all code that uses its classes, or its CUDA C. */
@NullMarked
package dev.gyre.atomics.tornadovm.cuda;

import org.jspecify.annotations.NullMarked;
