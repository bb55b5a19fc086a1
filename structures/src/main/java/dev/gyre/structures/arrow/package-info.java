/**
 * Exchanges columns with other libraries through the <a
 * href="https://arrow.apache.org/docs/format/CDataInterface.html">Arrow C data interface</a>,
 * without a copy and without an Arrow library.
 *
 * <pre>{@code
 * try (ArrowColumns sales = ArrowColumns.importFrom(arrayAddress, schemaAddress);
 *     GroupBy groups = GroupBy.on("city").sum("amount")) {
 *   groups.add(Batch.of(sales));
 *   try (Groups result = groups.result()) {
 *     result.exportTo(arrayAddress, schemaAddress); // the import has emptied both structs
 *   }
 * }
 * }</pre>
 *
 * <p>The addresses lead to two C structs: an {@code ArrowArray} and its {@code ArrowSchema}. {@link
 * dev.gyre.structures.arrow.ArrowColumns} imports a record batch, which {@link
 * dev.gyre.structures.group.Batch#of} makes a batch of rows. {@link
 * dev.gyre.structures.group.Groups} and {@link dev.gyre.structures.group.Join.Rows} have methods
 * that export them.
 */
@NullMarked
package dev.gyre.structures.arrow;

import org.jspecify.annotations.NullMarked;
