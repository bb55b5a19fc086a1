package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.Join;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Writes joined rows to a file. Threads join chunks of the right file at the same time, and write
 * in the order of the chunks.
 */
final class JoinOutput {

  /**
   * Field of the output.
   *
   * @param left column of the left table, or -1
   * @param right column of the right file, for rows without a left row; or -1
   */
  record Field(int left, int right) {}

  private final JoinTable table;
  private final Join join;
  private final Join.How how;
  private final List<String> keys;
  private final List<Field> fields;
  private final Supplier<CsvBytes> buffers;
  private final FileChannel file;
  private long turn;
  private boolean stopped;
  private long rightRows;
  private long rows;

  /**
   * Creates an output.
   *
   * @param how of the join whose right side is the table
   * @param keys number of key columns, which are the first ones of both sides
   */
  JoinOutput(
      JoinTable table,
      Join join,
      Join.How how,
      int keys,
      List<Field> fields,
      Supplier<CsvBytes> buffers,
      FileChannel file) {
    this.table = table;
    this.join = join;
    this.how = how;
    this.keys = IntStream.range(0, keys).mapToObj(GroupSink::name).toList();
    this.fields = fields;
    this.buffers = buffers;
    this.file = file;
  }

  /** Joins the rows of the right file that one thread has parsed. */
  final class Sink implements CsvScanner.Sink {
    private final Batch batch = new Batch(0);
    private final CsvBytes out = buffers.get();
    private long taken;
    private long made;

    @Override
    public void take(CsvRows right) {
      taken += right.count();
      join.forEachMatch(
          GroupSink.batch(batch, right),
          0,
          keys,
          how,
          (rightRows, leftRows, count) -> {
            for (int i = 0; i < count; i++) {
              print(leftRows[i], right, (int) rightRows[i], out);
            }
            made += count;
            if (out.isFull()) {
              write(right.chunk(), out);
            }
          });
    }

    @Override
    public void endChunk(long number) {
      write(number, out);
      next(taken, made);
      taken = 0;
      made = 0;
    }

    @Override
    public void stop() {
      stopAll();
    }
  }

  private void print(long leftRow, CsvRows right, int rightRow, CsvBytes to) {
    for (Field field : fields) {
      if (leftRow >= 0 && field.left() >= 0) {
        table.print(leftRow, field.left(), to);
      } else if (field.right() >= 0) {
        print(right, field.right(), rightRow, to);
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

  /** Writes the rows of a chunk, after all earlier chunks. */
  private void write(long chunk, CsvBytes out) {
    if (await(chunk)) {
      try {
        out.writeTo(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private synchronized boolean await(long chunk) {
    boolean interrupted = false;
    while (turn != chunk && !stopped) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
        stopped = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !stopped;
  }

  private synchronized void next(long taken, long made) {
    turn++;
    rightRows += taken;
    rows += made;
    notifyAll();
  }

  private synchronized void stopAll() {
    stopped = true;
    notifyAll();
  }

  /** Writes the rows of the left table that have no match, after the scan. */
  void printUnmatched() {
    CsvBytes out = buffers.get();
    join.forEachUnmatched(
        (_, leftRows, count) -> {
          for (int i = 0; i < count; i++) {
            for (Field field : fields) {
              if (field.left() >= 0) {
                table.print(leftRows[i], field.left(), out);
              } else {
                out.addNull();
              }
            }
            out.endRecord();
          }
          rows += count;
          write(turn, out);
        });
  }

  /** Returns the number of rows of the right file. */
  long rightRows() {
    return rightRows;
  }

  /** Returns the number of rows that were written. */
  long rows() {
    return rows;
  }
}
