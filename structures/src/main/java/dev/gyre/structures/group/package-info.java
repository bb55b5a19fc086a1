/**
 * Groups rows by key columns with aggregates, and joins two sets of columns on equal keys.
 *
 * <p>Input arrives as {@link dev.gyre.structures.group.Batch}es of columns. {@link
 * dev.gyre.structures.group.GroupBy} takes batches from many threads and returns {@link
 * dev.gyre.structures.group.Groups}: columns in off-heap memory. {@link
 * dev.gyre.structures.group.Join} returns row numbers, not copies of rows.
 *
 * <h2>Keys</h2>
 *
 * <ul>
 *   <li>A key has one or more columns of numbers or texts. Ints and longs are compared as longs,
 *       floats and doubles as doubles, decimals as longs of one scale, texts by their bytes.
 *   <li>NaN equals NaN, and -0.0 equals 0.0.
 *   <li>When grouping, null equals null. In a join, a key with a null matches nothing.
 * </ul>
 */
@NullMarked
package dev.gyre.structures.group;

import org.jspecify.annotations.NullMarked;
