package dev.gyre.structures.group;

import dev.gyre.structures.arrow.ArrowException;
import dev.gyre.structures.arrow.ArrowExport;
import dev.gyre.structures.arrow.SharedUse;
import java.util.List;

/**
 * Result of a {@link GroupBy}: one row per group, in columns of off-heap memory.
 *
 * <p>The columns are the key columns, then the aggregates, in the order of their declaration. Rows
 * are in no particular order; {@link #order} sorts row numbers. Immutable, and thread-safe until it
 * is closed.
 *
 * @since 0.1.0
 */
public final class Groups implements AutoCloseable {

  /**
   * A column to sort by.
   *
   * @param descending whether the greatest value is first
   */
  public record By(String column, boolean descending) {

    /** Returns an ascending order. */
    public static By ascending(String column) {
      return new By(column, false);
    }

    /** Returns a descending order. */
    public static By descending(String column) {
      return new By(column, true);
    }
  }

  private final long rows;
  private final List<GroupColumn> columns;
  private final SharedUse use;

  Groups(long rows, List<GroupColumn> columns) {
    this.rows = rows;
    this.columns = List.copyOf(columns);
    this.use = new SharedUse(() -> this.columns.forEach(GroupColumn::free));
  }

  /** Returns the number of groups. */
  public long rows() {
    return rows;
  }

  /** Returns the columns: keys, then aggregates. */
  public List<GroupColumn> columns() {
    return columns;
  }

  /**
   * Returns a column by its name: the name of a key, or an aggregate such as {@code mean(x)}.
   *
   * @throws IllegalArgumentException if there is no such column
   */
  public GroupColumn column(String name) {
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no column %s; the columns are %s"
                        .formatted(name, columns.stream().map(GroupColumn::name).toList())));
  }

  /**
   * Returns the row numbers, sorted by some columns; rows with equal values are in the order of
   * their numbers. Texts are in the order of their unsigned bytes; NaN is greater than all other
   * numbers. Nulls are last, also in a descending order. The caller closes the result.
   *
   * @throws IllegalArgumentException if there is no such column
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   */
  public RowNumbers order(By... columns) {
    List<By> by = List.of(columns);
    GroupColumn[] sorted = by.stream().map(b -> column(b.column())).toArray(GroupColumn[]::new);
    return RowNumbers.sorted(
        rows,
        (a, b) -> {
          for (int i = 0; i < sorted.length; i++) {
            int order = compare(sorted[i], by.get(i).descending(), a, b);
            if (order != 0) {
              return order;
            }
          }
          return 0;
        });
  }

  private static int compare(GroupColumn column, boolean descending, long a, long b) {
    boolean isNull = column.isNull(a);
    if (isNull || column.isNull(b)) {
      return Boolean.compare(isNull, column.isNull(b));
    }
    return descending ? column.compare(b, a) : column.compare(a, b);
  }

  /**
   * Exports all columns to another library through the <a
   * href="https://arrow.apache.org/docs/format/CDataInterface.html">Arrow C data interface</a>, as
   * a record batch: a struct array with its schema. Nothing is copied. Longs are int64, decimals
   * decimal128, doubles and means double, and texts large_utf8.
   *
   * <p>These groups can be closed before the other library releases the array; the memory is freed
   * after both.
   *
   * @param arrayAddress address of memory for an {@code ArrowArray}
   * @param schemaAddress address of memory for an {@code ArrowSchema}
   * @throws ArrowException if a text is not valid UTF-8, or an address is null
   * @throws dev.gyre.atomics.ClosedException if this object is closed
   */
  public void exportTo(long arrayAddress, long schemaAddress) {
    ArrowExport.to(
        arrayAddress,
        schemaAddress,
        rows,
        columns.stream().map(column -> column.exported(use)).toList());
  }

  /** Frees the memory of the columns, unless an export uses it. Further calls do nothing. */
  @Override
  public void close() {
    use.close();
  }
}
