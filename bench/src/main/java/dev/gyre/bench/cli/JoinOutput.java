package dev.gyre.bench.cli;

import dev.gyre.bench.cli.JoinTable.Part;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.structures.group.Join;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes joined rows to a file: of a table in memory, and of a file that is streamed. Threads join
 * chunks of that file at the same time.
 */
final class JoinOutput implements JoinTable.Parts {

  /**
   * Field of the output. Columns of both are equal if both rows are there.
   *
   * @param name name in the first record
   * @param kept column of the table, or -1
   * @param streamed column of the streamed file, or -1
   */
  record Field(String name, int kept, int streamed) {}

  /** Finds rows of the table for rows of a part of the streamed file. */
  @FunctionalInterface
  interface Finder {
    /** Passes pairs of rows in the order of the part: first its row, then that of the table. */
    void find(Part part, Join.Block action);
  }

  private final JoinTable table;
  private final List<Field> fields;
  private final CsvFormat format;
  private final OrderedOutput file;
  private final Finder finder;
  private final AtomicLong streamedRows = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  /** Creates an output, and writes the names of the fields. */
  JoinOutput(
      JoinTable table, List<Field> fields, CsvFormat format, FileChannel file, Finder finder) {
    this.table = table;
    this.fields = fields;
    this.format = format;
    this.file = new OrderedOutput(file);
    this.finder = finder;
    CsvBytes header = new CsvBytes(format);
    fields.forEach(field -> header.add(field.name()));
    header.endRecord();
    header.writeTo(file);
  }

  @Override
  public void take(long chunk, Part part) {
    CsvBytes out = new CsvBytes(format);
    try (part) {
      finder.find(part, (streamed, kept, count) -> print(chunk, part, streamed, kept, count, out));
    }
    file.end(chunk, out);
    long _ = streamedRows.addAndGet(part.rows());
  }

  @Override
  public void stop() {
    file.stop();
  }

  private void print(
      long chunk, @Nullable Part part, long[] streamed, long[] kept, int count, CsvBytes out) {
    for (int i = 0; i < count; i++) {
      for (Field field : fields) {
        if (kept[i] >= 0 && field.kept() >= 0) {
          table.print(field.kept(), kept[i], out);
        } else if (part != null && field.streamed() >= 0) {
          part.print(field.streamed(), (int) streamed[i], out);
        } else {
          out.addNull();
        }
      }
      out.endRecord();
      if (out.isFull()) {
        file.write(chunk, out);
      }
    }
    long _ = rows.addAndGet(count);
  }

  /** Writes the rows of the table that have no match, after all chunks of the streamed file. */
  void printUnmatched(Join join) {
    CsvBytes out = new CsvBytes(format);
    long last = file.turn();
    join.forEachUnmatched((none, kept, count) -> print(last, null, none, kept, count, out));
    file.end(last, out);
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
