/** Off-heap memory, handles and scoped atomics. */
@NullMarked
package dev.gyre.atomics;

import org.jspecify.annotations.NullMarked;
