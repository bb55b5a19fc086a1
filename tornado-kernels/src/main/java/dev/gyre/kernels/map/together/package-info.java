/**
 * Block aggregation: additions of a large batch to a table of ints on a device. Each block adds up
 * its values of a frequent key in shared memory. {@link SampleKeys} checks whether there are
 * frequent keys. If so, {@link AddTogether} adds all, otherwise {@link AddApart}.
 */
@Internal
@NullMarked
package dev.gyre.kernels.map.together;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
