/**
 * Additions of a large batch to a table of ints by a device, of which each block adds up what it
 * has for a frequent key in memory that it shares: {@link SampleKeys} looks whether there are
 * frequent keys; then {@link AddTogether} adds all, else {@link AddApart}.
 */
@NullMarked
package dev.gyre.kernels.map.together;

import org.jspecify.annotations.NullMarked;
