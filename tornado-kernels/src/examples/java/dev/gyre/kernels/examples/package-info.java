/** The talk's small programs, as device functions that run on the JVM and on devices. */
@NullMarked
package dev.gyre.kernels.examples;

import org.jspecify.annotations.NullMarked;
