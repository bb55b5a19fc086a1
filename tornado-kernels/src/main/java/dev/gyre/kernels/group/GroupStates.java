package dev.gyre.kernels.group;

import dev.gyre.atomics.DeviceLongs;

/**
 * Aggregates of all groups, in memory that is 0 at the beginning. Device functions.
 *
 * <p>A group has {@link #words} longs: the number of rows, and for each value {@value #PER_VALUE}
 * longs. These are two sums, and the greatest differences of a value from two bounds that no value
 * reaches. A value v is {@code high · 2^32 + low}, where low is from -2<sup>31</sup> to
 * 2<sup>31</sup> - 1, and each part has its sum. So 2<sup>31</sup> rows cannot overflow.
 *
 * <p>All updates are relaxed: the end of the launch publishes them.
 *
 * @param longs the groups, one after another
 * @param values number of values of a row
 */
public record GroupStates(DeviceLongs longs, int values) {

  /** Largest number of rows that may be added before the memory is read and set to 0 again. */
  public static final long MAX_ROWS = 1L << 31;

  public static final int PER_VALUE = 4;
  public static final int LOW = 1;
  public static final int HIGH = 2;
  public static final int MAX = 3;
  public static final int MIN = 4;

  /** Bound of all values, which have at most {@value RowFormat#MAX_DIGITS} digits. */
  public static final long BOUND = 1L << 60;

  /** Returns the number of longs of a group. */
  public static int words(int values) {
    return 1 + PER_VALUE * values;
  }

  private long at(int group, int value, int word) {
    return (long) group * words(values) + (long) PER_VALUE * value + word;
  }

  /** Adds rows to a group. */
  void count(int group, long rows) {
    long _ = longs.fetchAddRelaxed(at(group, 0, 0), rows);
  }

  /** Adds a value to a group. */
  void add(int group, int value, long number) {
    long low = (number << Integer.SIZE) >> Integer.SIZE;
    addSum(group, value, low);
    long high = (number - low) >> Integer.SIZE;
    if (high != 0) {
      long _ = longs.fetchAddRelaxed(at(group, value, HIGH), high);
    }
    raise(at(group, value, MAX), BOUND + number);
    raise(at(group, value, MIN), BOUND - number);
  }

  /** Adds the sum of small values of a group. */
  void addSum(int group, int value, long sum) {
    long _ = longs.fetchAddRelaxed(at(group, value, LOW), sum);
  }

  /** Takes the greatest and the least of some values of a group into account. */
  void extremes(int group, int value, long greatest, long least) {
    raise(at(group, value, MAX), BOUND + greatest);
    raise(at(group, value, MIN), BOUND - least);
  }

  /** Most values are no extremes, and a load is cheaper than an update. */
  private void raise(long at, long to) {
    if (longs.loadRelaxed(at) < to) {
      long _ = longs.fetchMaxRelaxed(at, to);
    }
  }
}
