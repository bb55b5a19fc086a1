package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that prints rows.
 *
 * @param id the same in every run with the same options, so that a run can be continued
 * @param title for the reader who waits
 * @param command program and arguments
 * @param seconds that it is expected to take
 * @param limit seconds after which it is ended
 * @param read what its rows become in the table; null leaves a row out
 */
record Job(
    String id, String title, List<String> command, double seconds, double limit, RowReader read) {

  /** Makes a row of the table of what a program printed. */
  @FunctionalInterface
  interface RowReader {
    @Nullable Row read(Row printed);
  }
}
