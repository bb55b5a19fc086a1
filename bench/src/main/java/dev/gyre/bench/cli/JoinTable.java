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
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Rows of texts and integers in memory, in the order of their file. */
final class JoinTable implements AutoCloseable {

  /**
   * Fields of a column.
   *
   * @param values numbers, or where texts begin
   * @param lengths lengths of texts; 0 for numbers
   * @param valid bit i is set if field i is not null
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record Fields(long[] values, int[] lengths, long[] valid) {

    Fields copy(int rows) {
      return new Fields(
          Arrays.copyOf(values, rows),
          Arrays.copyOf(lengths, rows),
          Arrays.copyOf(valid, (rows + 63) >> 6));
    }
  }

  /**
   * Rows of a chunk.
   *
   * @param bytes all texts
   */
  record Part(List<CsvColumn> columns, int rows, Memory bytes, List<Fields> fields)
      implements AutoCloseable {

    boolean isNull(int column, int row) {
      return (fields.get(column).valid[row >> 6] & (1L << row)) == 0;
    }

    /** Returns the numbers of a column. */
    long[] numbers(int column) {
      return fields.get(column).values;
    }

    /** Returns the bytes of a text: none if it is null. */
    MemorySegment text(int column, int row) {
      Fields of = fields.get(column);
      return bytes.segment().asSlice(of.values[row], of.lengths[row]);
    }

    /** Returns the first columns, which are texts, with their indices as names. */
    Batch batch(int count) {
      Batch batch = new Batch(rows);
      for (int i = 0; i < count; i++) {
        Fields of = fields.get(i);
        Batch _ = batch.texts(GroupSink.name(i), bytes.segment(), of.values, of.lengths);
        Batch _ = batch.valid(GroupSink.name(i), of.valid);
      }
      return batch;
    }

    /** Adds a field to a record. */
    void print(int column, int row, CsvBytes to) {
      Fields of = fields.get(column);
      if (isNull(column, row)) {
        to.addNull();
      } else if (columns.get(column).type() == CsvColumn.Type.TEXT) {
        to.add(bytes.segment(), of.values[row], of.lengths[row]);
      } else {
        to.add(Long.toString(of.values[row]));
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
    private final Fields[] fields;
    private int count;

    Loader(List<CsvColumn> columns, Parts to) {
      this.columns = columns;
      this.to = to;
      this.fields = new Fields[columns.size()];
      Fields none = new Fields(new long[0], new int[0], new long[0]);
      Arrays.setAll(fields, _ -> none.copy(CsvRows.MAX_ROWS));
    }

    @Override
    public void take(CsvRows from) {
      for (int i = 0; i < fields.length; i++) {
        if (fields[i].values.length < count + from.count()) {
          fields[i] = fields[i].copy(2 * fields[i].values.length);
        }
        take(from, i);
      }
      count += from.count();
    }

    private void take(CsvRows from, int column) {
      boolean isText = columns.get(column).type() == CsvColumn.Type.TEXT;
      long[] valid = from.valid(column);
      Fields to = fields[column];
      for (int row = 0, at = count; row < from.count(); row++, at++) {
        to.values[at] = isText ? size : from.decimals(column)[row];
        to.lengths[at] = isText ? from.lengths(column)[row] : 0;
        bytes = CsvBytes.grown(bytes, (long) size + to.lengths[at]);
        if (to.lengths[at] > 0) {
          long offset = from.offsets(column)[row];
          MemorySegment.copy(
              from.bytes(), ValueLayout.JAVA_BYTE, offset, bytes, size, to.lengths[at]);
          size += to.lengths[at];
        }
        boolean isValid = valid == null || (valid[row >> 6] & (1L << row)) != 0;
        to.valid[at >> 6] |= isValid ? 1L << at : 0;
      }
    }

    @Override
    public void endChunk(long number) {
      Memory memory = Memory.ofBytes(Math.max(1, size));
      MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, size);
      List<Fields> copies = Arrays.stream(fields).map(each -> each.copy(count)).toList();
      Arrays.stream(fields).forEach(each -> Arrays.fill(each.valid, 0));
      Part part = new Part(columns, count, memory, copies);
      count = 0;
      size = 0;
      to.take(number, part);
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
    if (!inOrder.isEmpty()) {
      return inOrder.stream().map(part -> part.batch(count)).toList();
    }
    Batch none = new Batch(0);
    for (int i = 0; i < count; i++) {
      Batch _ = none.texts(GroupSink.name(i), List.of());
    }
    return List.of(none);
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
