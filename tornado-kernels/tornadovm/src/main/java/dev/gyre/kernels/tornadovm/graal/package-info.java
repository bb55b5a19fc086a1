/** What of kernels' tasks names Graal. */
@NullMarked
package dev.gyre.kernels.tornadovm.graal;

import org.jspecify.annotations.NullMarked;
