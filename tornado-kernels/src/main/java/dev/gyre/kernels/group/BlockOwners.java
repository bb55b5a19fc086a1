package dev.gyre.kernels.group;

import dev.gyre.atomics.SharedInts;

/**
 * Assigns groups to entries in the shared memory of a block, where their rows are aggregated: a
 * frequent key costs the block one access to global memory per launch. Device functions.
 *
 * <p>The first group of an entry keeps it until the launch ends. Rows of other groups are
 * aggregated in global memory. All updates are relaxed: a barrier precedes the reads of other
 * threads.
 *
 * @param owners the group of each entry plus 1, or 0
 * @param entries number of entries, a power of two
 */
public record BlockOwners(SharedInts owners, int entries) {

  /** Stands for no entry, and for no group. */
  static final int NONE = -1;

  /** Returns entries without groups. */
  public static BlockOwners of(int entries) {
    return new BlockOwners(SharedInts.of(entries), entries);
  }

  /** Returns the entry of a group, or NONE. */
  int entry(int group) {
    int entry = group & (entries - 1);
    int owner = owners.loadRelaxed(entry);
    if (owner == 0) {
      int before = owners.compareAndExchangeRelaxed(entry, 0, group + 1);
      owner = before == 0 ? group + 1 : before;
    }
    return owner == group + 1 ? entry : NONE;
  }

  void clear(int entry) {
    owners.set(entry, 0);
  }

  /** Returns the group of an entry, or NONE. After a barrier. */
  int group(int entry) {
    return owners.get(entry) - 1;
  }
}
