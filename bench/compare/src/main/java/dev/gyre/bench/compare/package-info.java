/** The command {@code compare}: measures Gyre and its rivals, and reports. */
@NullMarked
package dev.gyre.bench.compare;

import org.jspecify.annotations.NullMarked;
