/**
 * What TornadoVM's backends that write C share, OpenCL and CUDA: how it says what is neither atomic
 * nor ordered, and whether the nested statements are the control flow that was meant.
 */
@NullMarked
package dev.gyre.atomics.tornadovm.c;

import org.jspecify.annotations.NullMarked;
