package dev.gyre.kernels.group;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel that aggregates the values of a column in the groups that {@link FindGroups} found. It
 * skips nulls.
 *
 * @param groups group of each row; if it is negative, the row is not added
 * @param rows number of rows
 * @param column number of the value in the states
 * @param extremes the greatest and the least value of each entry of the block, as in the states
 */
public record AddNumbers(
    NumberColumn numbers,
    ThreadInts groups,
    long rows,
    GroupStates states,
    int column,
    BlockOwners block,
    BlockSums sums,
    SharedLongs extremes)
    implements Kernel {

  /** Number of entries of a block. */
  public static final int ENTRIES = 1 << 10;

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int entries = block.entries();
    for (int entry = own; entry < entries; entry += blockSize) {
      block.clear(entry);
      sums.clear(entry);
      extremes.set(entry, GroupStates.NONE);
      extremes.set(entries + entry, GroupStates.NONE);
    }
    Block.barrier();
    for (long row = thread; row < rows; row += shape.threads()) {
      int group = groups.get(row) | numbers.ifNull(row);
      if (group >= 0) {
        add(group, numbers.value(row));
      }
    }
    Block.barrier();
    for (int entry = own; entry < entries; entry += blockSize) {
      int group = block.group(entry);
      if (group != BlockOwners.NONE) {
        sums.flush(entry, states, group, column);
        states.extremes(group, column, extremes.get(entry), extremes.get(entries + entry));
      }
    }
  }

  private void add(int group, long value) {
    int entry = block.entry(group);
    long ordered = sums.ordered(value);
    if (entry == BlockOwners.NONE) {
      sums.addTo(states, group, column, value);
      states.extremes(group, column, ordered, ~ordered);
    } else {
      sums.add(entry, value);
      raise(entry, ordered);
      raise(block.entries() + entry, ~ordered);
    }
  }

  private void raise(int at, long to) {
    if (extremes.loadRelaxed(at) < to) {
      long _ = extremes.fetchMaxRelaxed(at, to);
    }
  }
}
