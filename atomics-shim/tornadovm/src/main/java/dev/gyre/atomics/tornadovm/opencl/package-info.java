/** TornadoVM's OpenCL backend: all code that uses its classes, or OpenCL C. */
@NullMarked
package dev.gyre.atomics.tornadovm.opencl;

import org.jspecify.annotations.NullMarked;
