/** Parts of tasks that use classes of Graal. */
@NullMarked
package dev.gyre.kernels.tornadovm.graal;

import org.jspecify.annotations.NullMarked;
