package dev.gyre.kernels.map.exclusive;

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
import dev.gyre.kernels.map.BatchRange;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Block of keys of a batch with their values and outcomes, for a JVM thread that owns the slots. It
 * fits in the first-level cache. Outcomes are written to the batch only if that is requested or
 * needed.
 */
final class ResultBlock {

  /** Largest number of keys in a block. */
  static final int LENGTH = 1 << 8;

  /** The keys; ints are widened. */
  long[] keys;

  /** Values that were given or found. */
  long[] values;

  /** Index of the first value. */
  int valuesAt;

  /** Outcome of each key; initially SKIPPED for excluded keys. */
  final byte[] codes;

  /** Home place of each key, later its place, or its content for a find without values. */
  final long[] places;

  /** Number of STUCK keys. */
  int stuck;

  /** Whether outcomes are needed; otherwise no key is excluded. */
  final boolean each;

  private final @Nullable Bytes outcomes;
  private final BiConsumer<Long, Long> left;
  private final long from;
  private final long to;
  private final boolean masked;
  private final boolean asked;
  private final long[] counts = new long[STUCK + 1];

  /**
   * Creates the blocks of a range of a batch.
   *
   * @param options bit set of MASKED and OUTCOMES
   * @param each whether outcomes are needed even if the options do not request them
   */
  ResultBlock(BatchRange keys, int options, boolean each) {
    this(keys.outcomes(), keys.from(), keys.to(), options, each, (_, _) -> {});
  }

  /**
   * Creates the blocks of a range whose outcomes are not requested.
   *
   * @param left receives the keys that are STUCK, with their values
   */
  ResultBlock(long from, long to, boolean each, BiConsumer<Long, Long> left) {
    this(null, from, to, 0, each, left);
  }

  /** Returns a block for entries of a table, with arrays for their keys and values. */
  static ResultBlock ofEntries(BiConsumer<Long, Long> left) {
    ResultBlock block = new ResultBlock(0, LENGTH, false, left);
    block.keys = new long[LENGTH];
    block.values = new long[LENGTH];
    return block;
  }

  private ResultBlock(
      @Nullable Bytes outcomes,
      long from,
      long to,
      int options,
      boolean each,
      BiConsumer<Long, Long> left) {
    this.left = left;
    int length = most(from, to);
    this.codes = new byte[length];
    this.places = new long[length];
    this.keys = places;
    this.values = places;
    this.outcomes = outcomes;
    this.from = from;
    this.to = to;
    this.masked = (options & MASKED) != 0;
    this.asked = (options & OUTCOMES) != 0;
    this.each = each || masked || asked;
  }

  /** Returns the number of keys in a block. */
  static int most(long from, long to) {
    return (int) Math.min(LENGTH, to - from);
  }

  /**
   * Begins a block: sets its keys and excludes masked ones.
   *
   * @param valued destination of values; null drops values that are found
   */
  void begin(long at, int count, Column keyed, @Nullable Column valued) {
    keyed.read(at, count);
    keys = keyed.longs();
    if (valued != null) {
      values = valued.longs();
      valuesAt = valued.first(at);
    }
    begin(count);
    Bytes mask = masked ? outcomes : null;
    for (int i = 0; mask != null && i < count; i++) {
      codes[i] = mask.get(at + i);
    }
  }

  /** Begins a block whose keys are set. */
  void begin(int count) {
    Arrays.fill(codes, 0, count, ABSENT);
    stuck = 0;
  }

  /**
   * Ends a block: counts and writes its outcomes.
   *
   * @param first number of INSERTED or FOUND keys
   */
  void end(long at, int count, int first) {
    int skipped = 0;
    for (int i = 0; masked && i < count; i++) {
      skipped += codes[i] == SKIPPED ? 1 : 0;
    }
    counts[INSERTED] += first;
    counts[PRESENT] += count - skipped - first - stuck;
    Bytes to = outcomes;
    if (to != null && (asked || stuck > 0)) {
      if (counts[STUCK] == 0 && !masked && !asked) {
        skipAll(to);
      }
      write(at, count, to);
    }
    counts[STUCK] += stuck;
    for (int i = 0; stuck > 0 && i < count; i++) {
      if (codes[i] == STUCK) {
        left.accept(keys[i], values[valuesAt + i]);
      }
    }
  }

  private void skipAll(Bytes outcomes) {
    for (long i = from; i < to; i++) {
      outcomes.set(i, SKIPPED);
    }
  }

  private void write(long at, int count, Bytes outcomes) {
    for (int i = 0; i < count; i++) {
      boolean written = asked ? codes[i] != SKIPPED : codes[i] == STUCK;
      if (written) {
        outcomes.set(at + i, codes[i]);
      }
    }
  }

  /** Returns the number of INSERTED or FOUND keys and, in the upper half, of STUCK keys. */
  long firstAndStuck() {
    return counts[STUCK] << Integer.SIZE | counts[INSERTED];
  }

  /** Adds the counts of an insert to counters. */
  void addInserts(DeviceLongs counters) {
    add(counters, INSERTED, PRESENT);
  }

  /** Adds the counts of a find to counters. */
  void addFinds(DeviceLongs counters) {
    add(counters, FOUND, ABSENT);
  }

  private void add(DeviceLongs counters, int first, int second) {
    counters.set(first, counters.get(first) + counts[INSERTED]);
    counters.set(second, counters.get(second) + counts[PRESENT]);
    counters.set(STUCK, counters.get(STUCK) + counts[STUCK]);
  }
}
