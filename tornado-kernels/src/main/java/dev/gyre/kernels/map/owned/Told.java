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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a batch, some at a time, with their values and what became of them, where a thread of the
 * JVM owns the slots: kept in the nearest cache. Outcomes are written to the batch's only where
 * that is asked for or needed.
 */
final class Told {

  /** Most keys at a time. */
  static final int LENGTH = 1 << 8;

  /** Where the keys are; an int is a long here. */
  long[] keys;

  /** Element that is the first of the keys. */
  int keysAt;

  /** Where the value is that was given with each key, or was found. */
  long[] values;

  /** Element that is the first of the values. */
  int valuesAt;

  /** The outcome of each key; SKIPPED at the start of those that are left out. */
  final byte[] codes;

  /**
   * Where the search for each key begins, and then where the key is, or what was found of it where
   * nobody asks for values.
   */
  final long[] places;

  /** How many of the keys are STUCK. */
  int stuck;

  /** Whether it is to be said of each key what became of it; else none is left out. */
  final boolean each;

  private final @Nullable Bytes outcomes;
  private final BiConsumer<Long, Long> left;
  private final long from;
  private final long to;
  private final boolean masked;
  private final boolean asked;
  private final long[] counts = new long[STUCK + 1];

  /**
   * For the keys of a batch between two indexes.
   *
   * @param options sum of MASKED and OUTCOMES
   * @param each whether outcomes are needed even if nobody asks for them
   */
  Told(Bytes outcomes, long from, long to, int options, boolean each) {
    this(outcomes, from, to, options, each, (_, _) -> {});
  }

  /**
   * For all keys between two indexes, where nobody asks what became of each.
   *
   * @param left is given the keys that are STUCK, each with its value
   */
  Told(long from, long to, boolean each, BiConsumer<Long, Long> left) {
    this(null, from, to, 0, each, left);
  }

  private Told(
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

  /** How many of some keys there are at a time. */
  static int most(long from, long to) {
    return (int) Math.min(LENGTH, to - from);
  }

  /**
   * Before some keys: says where they are, and which of them are left out.
   *
   * @param valued where values are; those that are found are dropped if null
   */
  void begin(long at, int count, Column keyed, @Nullable Column valued) {
    keyed.read(at, count);
    keys = keyed.longs();
    keysAt = keyed.first(at);
    if (valued != null) {
      values = valued.longs();
      valuesAt = valued.first(at);
    }
    Arrays.fill(codes, 0, count, ABSENT);
    stuck = 0;
    Bytes mask = masked ? outcomes : null;
    for (int i = 0; mask != null && i < count; i++) {
      codes[i] = mask.get(at + i);
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
        left.accept(keys[keysAt + i], values[valuesAt + i]);
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

  /** How many of all keys are INSERTED or FOUND and, in the upper half, how many STUCK. */
  long firstAndStuck() {
    return counts[STUCK] << Integer.SIZE | counts[INSERTED];
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
