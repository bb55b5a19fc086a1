/**
 * Groups rows by key columns with aggregates, and joins two sets of columns on equal keys.
 *
 * <pre>{@code
 * Batch sales =
 *     new Batch(3)
 *         .texts("city", List.of("Oslo", "Bonn", "Oslo"))
 *         .numbers("amount", Columns.longs(new long[] {4, 5, 2}));
 * try (GroupBy groups = GroupBy.on("city").count().sum("amount")) {
 *   groups.add(sales); // any number of batches, from any number of threads
 *   try (Groups result = groups.result();
 *       RowNumbers order = result.order(Groups.By.descending("sum(amount)"))) {
 *     GroupColumn city = result.column("city");
 *     GroupColumn sum = result.column("sum(amount)");
 *     for (long i = 0; i < order.size(); i++) {
 *       System.out.println(city.text(order.get(i)) + " " + sum.getLong(order.get(i)));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@link dev.gyre.structures.group.Batch}: rows of columns, in arrays and segments of the
 *       caller.
 *   <li>{@link dev.gyre.structures.group.GroupBy}: takes batches from many threads and returns
 *       {@link dev.gyre.structures.group.Groups}, columns in off-heap memory.
 *   <li>{@link dev.gyre.structures.group.GroupText}: parses and groups texts on a device.
 *   <li>{@link dev.gyre.structures.group.Join}: returns row numbers, not copies of rows.
 * </ul>
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
