package dev.gyre.bench.group;

import dev.gyre.datasets.generators.Keys;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Rows of a key and a value, off the heap. */
final class Rows implements AutoCloseable {

  /** No rows, which are never closed. */
  static final Rows NONE = new Rows(0, row -> row, 0);

  private static final int BATCH_ROWS = 1 << 16;
  private static final int LEAST_VALUE = -1_000_000;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment keys;
  private final MemorySegment values;
  private final int rows;

  /**
   * Makes rows.
   *
   * @param keys returns the key of each row
   * @param seed chooses the values
   */
  Rows(int rows, IntToLongFunction keys, long seed) {
    this.rows = rows;
    this.keys = arena.allocate(ValueLayout.JAVA_LONG, rows);
    this.values = arena.allocate(ValueLayout.JAVA_LONG, rows);
    Keys numbers = Keys.uniform(seed, -2L * LEAST_VALUE);
    IntStream.range(0, rows)
        .parallel()
        .forEach(
            i -> {
              this.keys.setAtIndex(ValueLayout.JAVA_LONG, i, keys.applyAsLong(i));
              values.setAtIndex(ValueLayout.JAVA_LONG, i, numbers.longAt(i) + LEAST_VALUE);
            });
  }

  int size() {
    return rows;
  }

  long key(int row) {
    return keys.getAtIndex(ValueLayout.JAVA_LONG, row);
  }

  long value(int row) {
    return values.getAtIndex(ValueLayout.JAVA_LONG, row);
  }

  /** Returns batches with the columns k and v. */
  List<Batch> batches() {
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows; from += BATCH_ROWS) {
      int count = Math.min(BATCH_ROWS, rows - from);
      batches.add(
          new Batch(count)
              .numbers("k", column(keys, from, count))
              .numbers("v", column(values, from, count)));
    }
    return batches;
  }

  private static Columns column(MemorySegment all, long from, long count) {
    return Columns.of(ColumnType.LONG, all.asSlice(from * Long.BYTES, count * Long.BYTES));
  }

  /** Writes all rows as CSV without a header. */
  void writeCsv(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int row = 0; row < rows; row++) {
        out.append(Long.toString(key(row))).append(',').append(Long.toString(value(row)));
        out.append('\n');
      }
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
