package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.MASKED;
import static dev.gyre.kernels.map.MapCodes.OUTCOMES;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import java.util.Arrays;

/**
 * What became of keys, some at a time, where a thread of the JVM owns the slots: kept in the
 * nearest cache, and written to the batch's outcomes only where it is asked for or needed.
 */
final class Told {

  /** Most keys at a time. */
  static final int LENGTH = 1 << 9;

  /** The outcome of each key; SKIPPED at the start of those that are left out. */
  final byte[] codes = new byte[LENGTH];

  /** Where each key is. */
  final long[] slots = new long[LENGTH];

  /** How many of the keys are STUCK. */
  int stuck;

  private final Bytes outcomes;
  private final long from;
  private final long to;
  private final boolean masked;
  private final boolean asked;
  private final long[] counts = new long[STUCK + 1];

  /** For the keys of a batch between two indexes, and options of MASKED and OUTCOMES. */
  Told(Bytes outcomes, long from, long to, int options) {
    this.outcomes = outcomes;
    this.from = from;
    this.to = to;
    this.masked = (options & MASKED) != 0;
    this.asked = (options & OUTCOMES) != 0;
  }

  /** Before some keys: says which of them are left out. */
  void begin(long at, int count) {
    Arrays.fill(codes, 0, count, ABSENT);
    stuck = 0;
    for (int i = 0; masked && i < count; i++) {
      codes[i] = outcomes.get(at + i);
    }
  }

  /**
   * After some keys: counts and writes their outcomes.
   *
   * @param first how many are INSERTED or FOUND
   */
  void end(long at, int count, int first) {
    int skipped = 0;
    for (int i = 0; masked && i < count; i++) {
      skipped += codes[i] == SKIPPED ? 1 : 0;
    }
    counts[INSERTED] += first;
    counts[PRESENT] += count - skipped - first - stuck;
    if (stuck > 0 && counts[STUCK] == 0 && !masked && !asked) {
      for (long i = from; i < to; i++) {
        outcomes.set(i, SKIPPED);
      }
    }
    counts[STUCK] += stuck;
    if (asked || stuck > 0) {
      write(at, count);
    }
  }

  private void write(long at, int count) {
    for (int i = 0; i < count; i++) {
      boolean written = asked ? codes[i] != SKIPPED : codes[i] == STUCK;
      if (written) {
        outcomes.set(at + i, codes[i]);
      }
    }
  }

  /** Adds what was counted in an insert. */
  void addInserts(DeviceLongs counters) {
    add(counters, INSERTED, PRESENT);
  }

  /** Adds what was counted in a find. */
  void addFinds(DeviceLongs counters) {
    add(counters, FOUND, ABSENT);
  }

  private void add(DeviceLongs counters, int first, int second) {
    counters.set(first, counters.get(first) + counts[INSERTED]);
    counters.set(second, counters.get(second) + counts[PRESENT]);
    counters.set(STUCK, counters.get(STUCK) + counts[STUCK]);
  }
}
