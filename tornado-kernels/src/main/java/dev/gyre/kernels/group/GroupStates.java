package dev.gyre.kernels.group;

import dev.gyre.atomics.DeviceLongs;

/**
 * Aggregates of all groups, in memory that {@link #clear} prepares. Device functions.
 *
 * <p>A group has {@link #words} longs: the number of rows, and for each value {@value #PER_VALUE}
 * longs. These are two sums, the greatest value, and the complement of the least value. A value v
 * is {@code high · 2^32 + low}, where low is from -2<sup>31</sup> to 2<sup>31</sup> - 1, and each
 * part has its sum. So {@link #MAX_ROWS} rows cannot overflow. The first of the sums may instead be
 * the bits of a double.
 *
 * <p>All updates are relaxed: the end of the launch publishes them.
 *
 * @param longs the groups, one after another
 * @param values number of values of a row
 */
public record GroupStates(DeviceLongs longs, int values) {

  /** Largest number of rows that may be added before the memory is read and set to 0 again. */
  public static final long MAX_ROWS = 1L << 30;

  /** Less than or equal to all values, and to their complements. */
  static final long NONE = Long.MIN_VALUE;

  public static final int PER_VALUE = 4;
  public static final int LOW = 1;
  public static final int HIGH = 2;
  public static final int MAX = 3;
  public static final int MIN = 4;

  /** Returns the number of longs of a group. */
  public static int words(int values) {
    return 1 + PER_VALUE * values;
  }

  long at(int group, int value, int word) {
    return (long) group * words(values) + (long) PER_VALUE * value + word;
  }

  /** Returns the number of rows of a group. For the host. */
  public long rows(int group) {
    return word(group, 0, 0);
  }

  /** Sets the number of rows of a group to 0. For the host. */
  public void forget(int group) {
    longs.set(at(group, 0, 0), 0);
  }

  /** Returns a word of a group. For the host. */
  public long word(int group, int value, int word) {
    return longs.get(at(group, value, word));
  }

  /** Adds rows to a group. */
  void count(int group, long rows) {
    long _ = longs.fetchAddRelaxed(at(group, 0, 0), rows);
  }

  /** Adds a value to a group. */
  void add(int group, int value, long number) {
    addSum(group, value, number);
    extremes(group, value, number, ~number);
  }

  /** Adds to the sum of a group. */
  void addSum(int group, int value, long sum) {
    long low = (sum << Integer.SIZE) >> Integer.SIZE;
    addParts(group, value, low, (sum >> Integer.SIZE) - (low >> (Long.SIZE - 1)));
  }

  /** Adds to both parts of the sum of a group. */
  void addParts(int group, int value, long low, long high) {
    long _ = longs.fetchAddRelaxed(at(group, value, LOW), low);
    if (high != 0) {
      long _ = longs.fetchAddRelaxed(at(group, value, HIGH), high);
    }
  }

  /** Takes the greatest of some values, and the complement of the least, into account. */
  void extremes(int group, int value, long greatest, long least) {
    raise(at(group, value, MAX), greatest);
    raise(at(group, value, MIN), least);
  }

  /** Most values are no extremes, and a load is cheaper than an update. */
  private void raise(long at, long to) {
    if (longs.loadRelaxed(at) < to) {
      long _ = longs.fetchMaxRelaxed(at, to);
    }
  }

  /** Removes all rows of the groups from one on, in steps. */
  public void clear(long first, long step, long groups) {
    for (long group = first; group < groups; group += step) {
      long at = group * words(values);
      longs.set(at, 0);
      for (int value = 0; value < values; value++) {
        longs.set(at + LOW, 0);
        longs.set(at + HIGH, 0);
        longs.set(at + MAX, NONE);
        longs.set(at + MIN, NONE);
        at += PER_VALUE;
      }
    }
  }
}
