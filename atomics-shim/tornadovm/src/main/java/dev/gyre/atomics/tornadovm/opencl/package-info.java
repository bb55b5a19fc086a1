/** TornadoVM's OpenCL backend: whatever names its classes, or knows or parses OpenCL C. */
@NullMarked
package dev.gyre.atomics.tornadovm.opencl;

import org.jspecify.annotations.NullMarked;
