/** NVIDIA's GPUs, for all backends: the instructions of PTX, and the driver. */
@NullMarked
package dev.gyre.atomics.tornadovm.nvidia;

import org.jspecify.annotations.NullMarked;
