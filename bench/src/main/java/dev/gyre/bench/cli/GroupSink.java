package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.map.Columns;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Adds the rows that one thread has parsed to groups. */
public final class GroupSink implements CsvScanner.Sink {

  private final GroupBy groups;
  private final AtomicLong all;
  private final Batch batch = new Batch(0);
  private long rowsOfChunk;

  /**
   * Creates a sink.
   *
   * @param all counts the rows of all sinks
   */
  public GroupSink(GroupBy groups, AtomicLong all) {
    this.groups = groups;
    this.all = all;
  }

  /** Returns the name of a column in a batch: one column of a file may be several in a batch. */
  public static String name(int column) {
    return Integer.toString(column);
  }

  /** Returns the names of the first columns in a batch. */
  static String[] names(int count) {
    return IntStream.range(0, count).mapToObj(GroupSink::name).toArray(String[]::new);
  }

  /** Returns a message about the sum of a column with the column's own name in it. */
  static String withName(String message, List<CsvColumn> columns) {
    for (int i = 0; i < columns.size(); i++) {
      String sum = "sum(%s)".formatted(name(i));
      if (message.startsWith(sum)) {
        return "sum(%s)%s".formatted(columns.get(i).name(), message.substring(sum.length()));
      }
    }
    return message;
  }

  @Override
  public void take(CsvRows rows) {
    groups.add(batch(batch, rows));
    rowsOfChunk += rows.count();
  }

  /** Makes a batch a view of rows. */
  static Batch batch(Batch batch, CsvRows rows) {
    Batch _ = batch.rows(rows.count());
    for (int i = 0; i < rows.columns().size(); i++) {
      CsvColumn column = rows.columns().get(i);
      String name = name(i);
      Batch _ =
          switch (column.type()) {
            case TEXT -> batch.texts(name, rows.bytes(), rows.offsets(i), rows.lengths(i));
            case DECIMAL -> batch.decimals(name, rows.decimals(i), column.scale());
            case DOUBLE -> batch.numbers(name, Columns.doubles(rows.doubles(i)));
          };
      Batch _ = batch.valid(name, rows.valid(i));
    }
    return batch;
  }

  @Override
  public void endChunk(long number) {
    long _ = all.addAndGet(rowsOfChunk);
    rowsOfChunk = 0;
  }
}
