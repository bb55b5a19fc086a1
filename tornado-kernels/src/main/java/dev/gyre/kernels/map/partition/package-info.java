/**
 * Radix-partitioned insert of a large batch into a table on a device.
 *
 * <p>Keys are ordered by slot first, so that the table is read and written sequentially instead of
 * at random. A partition contains the slots of all hashes with the same leading bits. Entries are
 * ordered in two levels: first by a few large partitions, the <em>parents</em>, then within each
 * parent by its <em>children</em>, which fit in the shared memory of a block.
 *
 * <ol>
 *   <li>{@link CountPartitions} counts the entries of each partition of a level.
 *   <li>{@link OrderByPartition} moves the entries of each partition together.
 *   <li>{@link BuildPartitions} inserts the entries of each child, one block per child.
 *   <li>{@link InsertOverflow} inserts the entries for which a child had no slot one by one.
 * </ol>
 */
@Internal
@NullMarked
package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
