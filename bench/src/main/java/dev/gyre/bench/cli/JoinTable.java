package dev.gyre.bench.cli;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.structures.group.Batch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Rows of texts in memory, in the order of their file. */
final class JoinTable implements AutoCloseable {

  /** Length of a text that is null. */
  private static final int NULL = -1;

  /**
   * Rows of a chunk.
   *
   * @param bytes all texts
   * @param offsets for each column where the texts begin
   * @param lengths for each column the lengths of the texts, or {@link #NULL}
   */
  private record Part(int rows, Memory bytes, List<long[]> offsets, List<int[]> lengths) {}

  private final int columns;
  private final TreeMap<Long, Part> parts = new TreeMap<>();
  private List<Part> inOrder = List.of();
  private long[] firstRows = {};
  private long rows;

  JoinTable(int columns) {
    this.columns = columns;
  }

  /** Takes the rows that one thread has parsed. */
  final class Loader implements CsvScanner.Sink {
    private byte[] bytes = new byte[CsvRows.MAX_ROWS];
    private int size;
    private final long[][] offsets = new long[columns][CsvRows.MAX_ROWS];
    private final int[][] lengths = new int[columns][CsvRows.MAX_ROWS];
    private int count;

    @Override
    public void take(CsvRows from) {
      for (int i = 0; i < columns; i++) {
        if (offsets[i].length < count + from.count()) {
          offsets[i] = Arrays.copyOf(offsets[i], 2 * offsets[i].length);
          lengths[i] = Arrays.copyOf(lengths[i], 2 * lengths[i].length);
        }
        take(from, i);
      }
      count += from.count();
    }

    private void take(CsvRows from, int column) {
      long[] valid = from.valid(column);
      for (int row = 0; row < from.count(); row++) {
        int length = from.lengths(column)[row];
        if (length > bytes.length - size) {
          bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(2L * size, (long) size + length)));
        }
        long offset = from.offsets(column)[row];
        MemorySegment.copy(from.bytes(), ValueLayout.JAVA_BYTE, offset, bytes, size, length);
        boolean isNull = valid != null && (valid[row >> 6] & (1L << row)) == 0;
        offsets[column][count + row] = size;
        lengths[column][count + row] = isNull ? NULL : length;
        size += length;
      }
    }

    @Override
    public void endChunk(long number) {
      if (count > 0) {
        Memory memory = Memory.ofBytes(size);
        MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, size);
        List<long[]> begins = new ArrayList<>();
        List<int[]> sizes = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
          begins.add(Arrays.copyOf(offsets[i], count));
          sizes.add(Arrays.copyOf(lengths[i], count));
        }
        put(number, new Part(count, memory, begins, sizes));
      }
      count = 0;
      size = 0;
    }
  }

  private synchronized void put(long chunk, Part part) {
    var _ = parts.put(chunk, part);
  }

  /** Numbers the rows, after all were loaded. */
  void number() {
    inOrder = List.copyOf(parts.values());
    firstRows = new long[inOrder.size()];
    for (int i = 0; i < firstRows.length; i++) {
      firstRows[i] = rows;
      rows += inOrder.get(i).rows();
    }
  }

  long rows() {
    return rows;
  }

  /** Returns the first columns of all rows, with their indices as names. */
  List<Batch> batches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (Part part : inOrder) {
      Batch batch = new Batch(part.rows());
      for (int i = 0; i < count; i++) {
        int[] lengths = part.lengths().get(i).clone();
        long[] valid = new long[(part.rows() + 63) >> 6];
        for (int row = 0; row < part.rows(); row++) {
          valid[row >> 6] |= lengths[row] == NULL ? 0 : 1L << row;
          lengths[row] = Math.max(lengths[row], 0);
        }
        String name = GroupSink.name(i);
        Batch _ = batch.texts(name, part.bytes().segment(), part.offsets().get(i), lengths);
        Batch _ = batch.valid(name, valid);
      }
      batches.add(batch);
    }
    if (batches.isEmpty()) {
      Batch none = new Batch(0);
      for (int i = 0; i < count; i++) {
        Batch _ = none.texts(GroupSink.name(i), List.of());
      }
      batches.add(none);
    }
    return batches;
  }

  /** Adds a field of a row to a record. */
  void print(long row, int column, CsvBytes to) {
    int found = Arrays.binarySearch(firstRows, row);
    int index = found < 0 ? -found - 2 : found;
    Part part = inOrder.get(index);
    int at = (int) (row - firstRows[index]);
    int length = part.lengths().get(column)[at];
    if (length == NULL) {
      to.addNull();
    } else {
      to.add(part.bytes().segment(), part.offsets().get(column)[at], length);
    }
  }

  @Override
  public void close() {
    parts.values().forEach(part -> part.bytes().close());
  }
}
