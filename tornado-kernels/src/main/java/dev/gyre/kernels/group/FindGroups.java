package dev.gyre.kernels.group;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel that finds the groups of rows, adds groups that are new, and counts the rows of each
 * group. Then {@link AddNumbers} aggregates the values of a column, and another launch of this
 * kernel counts its nulls: see {@link GroupKeys.OfNulls}.
 *
 * @param groups gets the group of each row, or why it has none; see {@link GroupKeys}
 * @param rows number of rows
 * @param again 0 at first; 1 if rows that got a group before are not for this launch
 * @param counts a count per entry of the block
 * @param counters two counters; this launch adds to each of them
 */
public record FindGroups(
    GroupKeys keys,
    ThreadInts groups,
    long rows,
    int again,
    GroupStates states,
    BlockOwners block,
    SharedInts counts,
    DeviceLongs counters)
    implements Kernel {

  /** Number of entries of a block. */
  public static final int ENTRIES = 1 << 11;

  /** Counter of rows that are {@link GroupKeys#FULL}. */
  public static final int FULL_ROWS = 0;

  /** Counter of rows that are {@link GroupKeys#UNPUBLISHED}. */
  public static final int UNPUBLISHED_ROWS = 1;

  public static final int COUNTERS = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    for (int entry = own; entry < block.entries(); entry += blockSize) {
      block.clear(entry);
      counts.set(entry, 0);
    }
    Block.barrier();
    long full = 0;
    long unpublished = 0;
    for (long row = thread; row < rows; row += shape.threads()) {
      int group = again == 0 ? GroupKeys.FULL : groups.get(row);
      // FULL or UNPUBLISHED
      if ((group | 1) == -1) {
        group = keys.find(row);
        full += group == GroupKeys.FULL ? 1 : 0;
        unpublished += group == GroupKeys.UNPUBLISHED ? 1 : 0;
        if (group >= 0) {
          count(group);
        }
      } else {
        group = GroupKeys.ADDED;
      }
      groups.set(row, group);
    }
    Block.barrier();
    for (int entry = own; entry < block.entries(); entry += blockSize) {
      int group = block.group(entry);
      if (group != BlockOwners.NONE) {
        states.count(group, counts.get(entry));
      }
    }
    // relaxed: the end of the launch publishes them
    add(FULL_ROWS, full);
    add(UNPUBLISHED_ROWS, unpublished);
  }

  private void add(int counter, long count) {
    if (count > 0) {
      long _ = counters.fetchAddRelaxed(counter, count);
    }
  }

  private void count(int group) {
    int entry = block.entry(group);
    if (entry == BlockOwners.NONE) {
      states.count(group, 1);
    } else {
      int _ = counts.fetchAddRelaxed(entry, 1);
    }
  }
}
