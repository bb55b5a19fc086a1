package dev.gyre.bench.cli;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.TextSource;
import dev.gyre.structures.group.Batch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Rows of texts and integers in memory, in the order of their file. */
final class JoinTable implements AutoCloseable {

  /** Length of a field that is null. */
  private static final int NULL = -1;

  /**
   * Rows of a chunk.
   *
   * @param bytes all texts
   * @param longs for each column the numbers, or where the texts begin
   * @param lengths for each column the lengths of the texts, or {@link #NULL}
   */
  record Part(
      List<CsvColumn> columns, int rows, Memory bytes, List<long[]> longs, List<int[]> lengths)
      implements AutoCloseable {

    boolean isNull(int column, int row) {
      return lengths.get(column)[row] == NULL;
    }

    /** Returns the bytes of a text: none if it is null. */
    MemorySegment text(int column, int row) {
      int length = Math.max(0, lengths.get(column)[row]);
      return bytes.segment().asSlice(longs.get(column)[row], length);
    }

    /** Adds a field to a record. */
    void print(int column, int row, CsvBytes to) {
      long value = longs.get(column)[row];
      if (isNull(column, row)) {
        to.addNull();
      } else if (columns.get(column).type() == CsvColumn.Type.TEXT) {
        to.add(bytes.segment(), value, lengths.get(column)[row]);
      } else {
        to.addNumber(Long.toString(value));
      }
    }

    @Override
    public void close() {
      bytes.close();
    }
  }

  private List<CsvColumn> columns = List.of();
  private final TreeMap<Long, Part> parts = new TreeMap<>();
  private List<Part> inOrder = List.of();
  private long[] firstRows = {};
  private long rows;

  private JoinTable() {}

  /** Reads all rows of a file. */
  static JoinTable load(
      CsvOptions csv,
      TextSource source,
      CsvFormat format,
      Function<List<String>, List<CsvColumn>> choose) {
    JoinTable table = new JoinTable();
    try {
      csv.scan(
          "loading",
          source,
          format,
          names -> table.columns = choose.apply(names),
          () -> new Loader(table.columns, table::put));
      table.number();
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** Takes the rows of a chunk, and closes them at some time. */
  @FunctionalInterface
  interface Parts {
    void take(long chunk, Part part);

    /** Called if there are no more chunks, because of an error. */
    default void stop() {}
  }

  /** Takes the rows that one thread has parsed, and copies them chunk by chunk. */
  static final class Loader implements CsvScanner.Sink {
    private final List<CsvColumn> columns;
    private final Parts to;
    private byte[] bytes = new byte[CsvRows.MAX_ROWS];
    private int size;
    private final long[][] longs;
    private final int[][] lengths;
    private int count;

    Loader(List<CsvColumn> columns, Parts to) {
      this.columns = columns;
      this.to = to;
      this.longs = new long[columns.size()][CsvRows.MAX_ROWS];
      this.lengths = new int[columns.size()][CsvRows.MAX_ROWS];
    }

    @Override
    public void take(CsvRows from) {
      for (int i = 0; i < columns.size(); i++) {
        if (longs[i].length < count + from.count()) {
          longs[i] = Arrays.copyOf(longs[i], 2 * longs[i].length);
          lengths[i] = Arrays.copyOf(lengths[i], 2 * lengths[i].length);
        }
        take(from, i);
      }
      count += from.count();
    }

    private void take(CsvRows from, int column) {
      boolean isText = columns.get(column).type() == CsvColumn.Type.TEXT;
      long[] valid = from.valid(column);
      for (int row = 0; row < from.count(); row++) {
        long value = isText ? size : from.decimals(column)[row];
        int length = isText ? from.lengths(column)[row] : 0;
        bytes = CsvBytes.grown(bytes, (long) size + length);
        if (length > 0) {
          long offset = from.offsets(column)[row];
          MemorySegment.copy(from.bytes(), ValueLayout.JAVA_BYTE, offset, bytes, size, length);
          size += length;
        }
        boolean isNull = valid != null && (valid[row >> 6] & (1L << row)) == 0;
        longs[column][count + row] = value;
        lengths[column][count + row] = isNull ? NULL : length;
      }
    }

    @Override
    public void endChunk(long number) {
      Memory memory = Memory.ofBytes(Math.max(1, size));
      MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, size);
      List<long[]> values = new ArrayList<>();
      List<int[]> sizes = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        values.add(Arrays.copyOf(longs[i], count));
        sizes.add(Arrays.copyOf(lengths[i], count));
      }
      to.take(number, new Part(columns, count, memory, values, sizes));
      count = 0;
      size = 0;
    }

    @Override
    public void stop() {
      to.stop();
    }
  }

  private synchronized void put(long chunk, Part part) {
    var _ = parts.put(chunk, part);
  }

  private void number() {
    inOrder = parts.values().stream().filter(part -> part.rows() > 0).toList();
    firstRows = new long[inOrder.size()];
    for (int i = 0; i < firstRows.length; i++) {
      firstRows[i] = rows;
      rows += inOrder.get(i).rows();
    }
  }

  long rows() {
    return rows;
  }

  /** Returns the parts that have rows, in the order of the file. */
  List<Part> parts() {
    return inOrder;
  }

  /** Returns the first columns, which are texts, of all rows, with their indices as names. */
  List<Batch> batches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (Part part : inOrder) {
      Batch batch = new Batch(part.rows());
      for (int i = 0; i < count; i++) {
        int[] lengths = part.lengths().get(i).clone();
        long[] valid = new long[(part.rows() + 63) >> 6];
        for (int row = 0; row < part.rows(); row++) {
          valid[row >> 6] |= part.isNull(i, row) ? 0 : 1L << row;
          lengths[row] = Math.max(lengths[row], 0);
        }
        String name = GroupSink.name(i);
        Batch _ = batch.texts(name, part.bytes().segment(), part.longs().get(i), lengths);
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
  void print(int column, long row, CsvBytes to) {
    int found = Arrays.binarySearch(firstRows, row);
    int index = found < 0 ? -found - 2 : found;
    inOrder.get(index).print(column, (int) (row - firstRows[index]), to);
  }

  @Override
  public void close() {
    parts.values().forEach(Part::close);
  }
}
