package dev.gyre.structures.group;

import dev.gyre.structures.group.Batch.Column;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads keys of one or more columns in blocks. For one thread. */
final class KeyReader implements AutoCloseable {

  private final KeyBlock[] columns;

  /** Null if there is one column. */
  private final @Nullable CompositeKeys composite;

  KeyReader(int columns) {
    this.columns = new KeyBlock[columns];
    Arrays.setAll(this.columns, _ -> new KeyBlock());
    this.composite = columns == 1 ? null : new CompositeKeys(this.columns);
  }

  /** Returns the block, which the next call overwrites. */
  KeyBlock block() {
    return composite == null ? columns[0] : composite;
  }

  /** Reads the keys of some rows. */
  KeyBlock read(List<Column> from, int first, int rows) {
    for (int i = 0; i < columns.length; i++) {
      columns[i].read(from.get(i), first, rows);
    }
    if (composite != null) {
      composite.combine();
    }
    return block();
  }

  /** Returns whether a column of a row is null. */
  boolean isNull(int row) {
    boolean isNull = false;
    for (KeyBlock column : columns) {
      isNull |= column.isNull(row);
    }
    return isNull;
  }

  @Override
  public void close() {
    if (composite != null) {
      composite.close();
    }
  }
}
