/**
 * Exchanges columns with other libraries through the <a
 * href="https://arrow.apache.org/docs/format/CDataInterface.html">Arrow C data interface</a>,
 * without a copy.
 *
 * <p>{@link dev.gyre.structures.arrow.ArrowColumns} imports a record batch, which {@link
 * dev.gyre.structures.group.Batch#of} makes a batch of rows. {@link
 * dev.gyre.structures.group.Groups} and {@link dev.gyre.structures.group.Join.Rows} are exported by
 * methods of their own.
 */
@NullMarked
package dev.gyre.structures.arrow;

import org.jspecify.annotations.NullMarked;
