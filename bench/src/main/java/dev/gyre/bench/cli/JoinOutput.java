package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.Join;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes joined rows to a file: of a table in memory, and of a file that is streamed. Threads join
 * chunks of that file at the same time.
 */
final class JoinOutput {

  /**
   * Field of the output. Columns of both are equal if both rows are there.
   *
   * @param kept column of the table, or -1
   * @param streamed column of the streamed file, or -1
   */
  record Field(int kept, int streamed) {

    /** Returns the same field if the other file is kept. */
    Field ofOther() {
      return new Field(/* kept= */ streamed, /* streamed= */ kept);
    }
  }

  private final JoinTable table;
  private final Join join;
  private final Join.How how;
  private final List<String> keys;
  private final List<Field> fields;
  private final Supplier<CsvBytes> buffers;
  private final OrderedOutput file;
  private final AtomicLong streamedRows = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  /**
   * Creates an output.
   *
   * @param how of the join whose right side is the table
   * @param keys names of the key columns, which are the first ones of both sides
   */
  JoinOutput(
      JoinTable table,
      Join join,
      Join.How how,
      String[] keys,
      List<Field> fields,
      Supplier<CsvBytes> buffers,
      OrderedOutput file) {
    this.table = table;
    this.join = join;
    this.how = how;
    this.keys = List.of(keys);
    this.fields = fields;
    this.buffers = buffers;
    this.file = file;
  }

  /** Joins the rows of the streamed file that one thread has parsed. */
  final class Sink implements CsvScanner.Sink {
    private final Batch batch = new Batch(0);
    private final CsvBytes out = buffers.get();
    private long taken;
    private long made;

    @Override
    public void take(CsvRows rows) {
      taken += rows.count();
      join.forEachMatch(
          GroupSink.batch(batch, rows),
          0,
          keys,
          how,
          (streamedRows, keptRows, count) -> {
            for (int i = 0; i < count; i++) {
              print(keptRows[i], rows, (int) streamedRows[i], out);
              if (out.isFull()) {
                file.write(rows.chunk(), out);
              }
            }
            made += count;
          });
    }

    @Override
    public void endChunk(long number) {
      file.end(number, out);
      long _ = streamedRows.addAndGet(taken);
      long _ = rows.addAndGet(made);
      taken = 0;
      made = 0;
    }

    @Override
    public void stop() {
      file.stop();
    }
  }

  /** Prints a row of the table, or none, and a row of the streamed file, or none. */
  private void print(long keptRow, @Nullable CsvRows rows, int row, CsvBytes to) {
    for (Field field : fields) {
      if (keptRow >= 0 && field.kept() >= 0) {
        table.print(field.kept(), keptRow, to);
      } else if (rows != null && field.streamed() >= 0) {
        print(rows, field.streamed(), row, to);
      } else {
        to.addNull();
      }
    }
    to.endRecord();
  }

  private static void print(CsvRows rows, int column, int row, CsvBytes to) {
    long[] valid = rows.valid(column);
    if (valid != null && (valid[row >> 6] & (1L << row)) == 0) {
      to.addNull();
    } else {
      to.add(rows.bytes(), rows.offsets(column)[row], rows.lengths(column)[row]);
    }
  }

  /** Writes the rows of the table that have no match, if the join keeps them, after the scan. */
  void printUnmatched() {
    if (how != Join.How.RIGHT && how != Join.How.OUTER) {
      return;
    }
    CsvBytes out = buffers.get();
    join.forEachUnmatched(
        (_, keptRows, count) -> {
          for (int i = 0; i < count; i++) {
            print(keptRows[i], null, -1, out);
            if (out.isFull()) {
              file.writeLast(out);
            }
          }
          long _ = rows.addAndGet(count);
        });
    file.writeLast(out);
  }

  /** Returns the number of rows of the streamed file. */
  long streamedRows() {
    return streamedRows.get();
  }

  /** Returns the number of rows that were written. */
  long rows() {
    return rows.get();
  }
}
