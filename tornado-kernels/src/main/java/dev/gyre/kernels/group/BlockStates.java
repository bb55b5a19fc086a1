package dev.gyre.kernels.group;

import dev.gyre.atomics.SharedInts;

/**
 * Aggregates of the first groups in the shared memory of a block: a frequent key costs the block
 * one access to global memory per launch. Device functions.
 *
 * <p>All updates are relaxed: a barrier precedes the reads of other threads.
 *
 * @param ints {@link #ints} ints: the number of rows of each group; then for each value the sums,
 *     and the greatest and the negated least value of each group, plus {@link #BOUND}
 * @param groups number of groups
 * @param values number of values of a row
 * @param limit values of a greater amount are not added here, so that no sum overflows
 */
public record BlockStates(SharedInts ints, int groups, int values, long limit) {

  private static final int BOUND = 1 << 30;
  private static final int PER_VALUE = 3;

  /** Largest number of ints of a block. */
  private static final int MAX_INTS = 10 << 10;

  /** Largest number of groups of a block. */
  private static final int MAX_GROUPS = 1 << 10;

  /**
   * Returns the aggregates of as many groups as a block has memory for.
   *
   * @param rows largest number of rows that a block adds
   */
  public static BlockStates of(int values, long rows) {
    int perGroup = 1 + PER_VALUE * values;
    int groups = Math.min(MAX_GROUPS, Integer.highestOneBit(MAX_INTS / perGroup));
    long limit = Math.min(BOUND - 1, Integer.MAX_VALUE / Math.max(1, rows));
    return new BlockStates(SharedInts.of(groups * perGroup), groups, values, limit);
  }

  /** Returns whether a group is one of the first. */
  boolean has(int group) {
    return group < groups;
  }

  /** Returns whether a value of a group may be added here, without a branch. */
  boolean takes(int group, long number) {
    return Math.max(Math.max(number, -number) - limit, group - groups + 1L) <= 0;
  }

  private int at(int value, int kind, int group) {
    return (1 + PER_VALUE * value + kind) * groups + group;
  }

  /** Runs one thread's part of setting all to 0, before a barrier. */
  void clear(int own, int blockSize) {
    for (int i = own; i < groups * (1 + PER_VALUE * values); i += blockSize) {
      ints.set(i, 0);
    }
  }

  /** Adds a row to a group. */
  void count(int group) {
    int _ = ints.fetchAddRelaxed(group, 1);
  }

  /** Adds a value to a group. */
  void add(int group, int value, int number) {
    int _ = ints.fetchAddRelaxed(at(value, 0, group), number);
    raise(at(value, 1, group), BOUND + number);
    raise(at(value, 2, group), BOUND - number);
  }

  private void raise(int at, int to) {
    if (ints.loadRelaxed(at) < to) {
      int _ = ints.fetchMaxRelaxed(at, to);
    }
  }

  /** Runs one thread's part of adding all to the groups, after a barrier. */
  void flush(int own, int blockSize, GroupStates states) {
    for (int group = own; group < groups; group += blockSize) {
      int rows = ints.get(group);
      if (rows > 0) {
        states.count(group, rows);
        for (int value = 0; value < values; value++) {
          int greatest = ints.get(at(value, 1, group));
          if (greatest > 0) {
            states.addSum(group, value, ints.get(at(value, 0, group)));
            states.extremes(
                group, value, greatest - BOUND, ints.get(at(value, 2, group)) - BOUND - 1L);
          }
        }
      }
    }
  }
}
