package dev.gyre.datasets;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Block of rows of a {@link CsvScanner}, in arrays that the next block of the same thread reuses.
 *
 * <p>Columns are in the order in which they were asked for. A null has text length 0 or number 0.
 *
 * @since 0.1.0
 */
public final class CsvRows {

  /** Largest number of rows of a block, which is the length of all arrays of numbers. */
  public static final int MAX_ROWS = 1 << 10;

  private static final double[] NO_DOUBLES = {};

  final List<CsvColumn> columns;

  /** Where fields begin, until numbers take their place. */
  final long[][] longs;

  /** Lengths of fields in bytes. */
  final int[][] lengths;

  final double[][] doubles;
  private final long[][] valid;
  private final boolean[] hasNulls;
  MemorySegment bytes = MemorySegment.NULL;
  int count;

  CsvRows(List<CsvColumn> columns) {
    int all = columns.size();
    this.columns = columns;
    this.longs = new long[all][];
    this.lengths = new int[all][];
    this.doubles = new double[all][];
    this.valid = new long[all][MAX_ROWS / Long.SIZE];
    this.hasNulls = new boolean[all];
    for (int i = 0; i < all; i++) {
      CsvColumn.Type type = columns.get(i).type();
      longs[i] = new long[MAX_ROWS];
      lengths[i] = new int[MAX_ROWS];
      doubles[i] = type == CsvColumn.Type.DOUBLE ? new double[MAX_ROWS] : NO_DOUBLES;
      Arrays.fill(valid[i], -1);
    }
  }

  void setNull(int column, int row) {
    hasNulls[column] = true;
    valid[column][row >> 6] &= ~(1L << row);
  }

  boolean isNull(int column, int row) {
    return (valid[column][row >> 6] & (1L << row)) == 0;
  }

  void clear() {
    count = 0;
    for (int i = 0; i < hasNulls.length; i++) {
      if (hasNulls[i]) {
        Arrays.fill(valid[i], -1);
        hasNulls[i] = false;
      }
    }
  }

  /** Returns the columns. */
  public List<CsvColumn> columns() {
    return columns;
  }

  /** Returns the number of rows. */
  public int count() {
    return count;
  }

  /** Returns the bytes in which all texts of this block are. At least 16 bytes follow each text. */
  public MemorySegment bytes() {
    return bytes;
  }

  /** Returns where in {@link #bytes} the texts of a column begin. */
  public long[] offsets(int column) {
    return longs[column];
  }

  /** Returns the lengths of the texts of a column, in bytes. */
  public int[] lengths(int column) {
    return lengths[column];
  }

  /** Returns the unscaled values of a column of decimals. */
  public long[] decimals(int column) {
    return longs[column];
  }

  /** Returns the values of a column of doubles. */
  public double[] doubles(int column) {
    return doubles[column];
  }

  /**
   * Returns which rows of a column are not null: bit {@code i % 64} of element {@code i / 64}; null
   * if no row is null.
   */
  public long @Nullable [] valid(int column) {
    return hasNulls[column] ? valid[column] : null;
  }
}
