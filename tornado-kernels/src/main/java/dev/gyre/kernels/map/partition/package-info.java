/**
 * Inserts a large batch into a table on a device by radix partitioning: orders the keys by slot
 * first, so that the table is read and written from end to end instead of at random.
 *
 * <p>A partition holds the slots of all hashes with the same leading bits. Entries are ordered in
 * two levels: first by a few large partitions, the <em>parents</em>, then within each parent by its
 * <em>children</em>, which fit into the memory that a block shares.
 *
 * <ol>
 *   <li>{@link CountPartitions} counts the entries of each partition of a level.
 *   <li>{@link OrderByPartition} moves the entries of each partition side by side.
 *   <li>{@link BuildPartitions} inserts the entries of each child, one block per child.
 *   <li>{@link InsertOverflow} inserts one by one the entries for which a child had no slot.
 * </ol>
 */
@NullMarked
package dev.gyre.kernels.map.partition;

import org.jspecify.annotations.NullMarked;
