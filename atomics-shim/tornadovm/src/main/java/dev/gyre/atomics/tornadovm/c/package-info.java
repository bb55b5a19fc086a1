/**
 * Common parts of TornadoVM's backends that generate C, OpenCL and CUDA: texts that are neither
 * atomic nor ordered, and a check that nested statements have the intended control flow.
 */
@NullMarked
package dev.gyre.atomics.tornadovm.c;

import org.jspecify.annotations.NullMarked;
