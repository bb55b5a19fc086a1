/**
 * Block aggregation: additions of a large batch to a table of ints on a device. Each block adds up
 * its values of a frequent key in shared memory. {@link SampleKeys} checks whether there are
 * frequent keys. If so, {@link BlockAggregate} adds all, otherwise {@link DirectAggregate}.
 */
@Internal
@NullMarked
package dev.gyre.kernels.map.aggregate;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
