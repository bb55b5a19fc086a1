package dev.gyre.datasets;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown by a {@link CsvParser}, which knows neither the text's name nor lines. */
final class CsvProblem extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  final long at;
  final int field;
  final int slot;
  final transient @Nullable CsvColumn needed;

  /**
   * Creates a problem.
   *
   * @param at where the field or the record begins, in the bytes that were parsed
   * @param field number of the field, from 0; -1 if the whole record is meant
   * @param slot index among the delivered columns
   * @param needed type that the field has
   */
  CsvProblem(String reason, long at, int field, int slot, @Nullable CsvColumn needed) {
    super(reason, null, false, false);
    this.at = at;
    this.field = field;
    this.slot = slot;
    this.needed = needed;
  }
}
