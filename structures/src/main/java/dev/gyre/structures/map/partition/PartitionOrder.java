package dev.gyre.structures.map.partition;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.partition.CountPartitions;
import dev.gyre.kernels.map.partition.Entries;
import dev.gyre.kernels.map.partition.OrderByPartition;
import dev.gyre.kernels.map.partition.Pairs;
import dev.gyre.kernels.map.partition.PartitionLevel;
import dev.gyre.structures.map.work.TaskRange;
import java.util.List;

/**
 * Orders the keys of a task by the partitions of a table.
 *
 * @param change how the insert changes present keys
 * @param flags options of the insert
 * @param polls poll limit of a wait for another thread
 */
public record PartitionOrder(
    Launcher launcher,
    NumberTable table,
    Batch batch,
    TaskRange task,
    Change change,
    int flags,
    PartitionScratch scratch,
    DeviceLongs counters,
    long polls) {

  /** Number of threads of a block. */
  static final int BLOCK = 256;

  /**
   * Largest number of keys per slot of a partition: more would keep its block busy after the others
   * have ended.
   */
  private static final int MAX_KEYS_PER_SLOT = 8;

  /** Number of keys that a block orders at a time. */
  private static final int TILE_KEYS = 2_048;

  /** Number of tiles of a parent that a block orders, if there are so many. */
  private static final int TILES_PER_BLOCK = 4;

  int size() {
    return (int) task.size();
  }

  /** Returns the keys as given. */
  Entries given() {
    return new Entries.Given(
        batch.keys(),
        batch.values(),
        batch.outcomes(),
        flags == 0 ? new Options.Counts() : new Options.Given(flags),
        task.from());
  }

  /**
   * Returns the change; {@link Change.None} if it keeps values, as a constant of the compiled
   * kernel.
   */
  Change known() {
    return change.policy() == MapCodes.KEEP ? new Change.None() : change;
  }

  /** Returns a shape of as many threads as the device runs at once. */
  LaunchShape lasting() {
    return launcher.shapeFor(Math.max(1, size()));
  }

  /** Returns the first level, of {@code 2^bits} partitions. */
  PartitionLevel first(int bits) {
    return new PartitionLevel(scratch.numbers, counters, 0, 0, size(), 0, bits);
  }

  /** Returns a level of {@code 2^bits} partitions of each partition of the first level. */
  PartitionLevel second(PartitionLevel first, int bits) {
    return new PartitionLevel(
        scratch.numbers,
        counters,
        first.begins(),
        PartitionLevel.ints(first.bits()),
        size(),
        first.bits(),
        bits);
  }

  /** Returns kernels that order entries by the partitions of a level, after the level above. */
  List<ChainLink> order(Entries entries, Pairs ordered, PartitionLevel level) {
    LaunchShape shape = shape(level);
    return List.of(
        new ChainLink(count(entries, level), shape),
        new ChainLink(
            new OrderByPartition(
                table,
                entries,
                ordered,
                level,
                TILE_KEYS,
                SharedLongs.of(TILE_KEYS * ordered.longs()),
                SharedInts.of(
                    OrderByPartition.sharedInts(PartitionScratch.MAX_BITS, BLOCK, TILE_KEYS))),
            shape));
  }

  private LaunchShape shape(PartitionLevel level) {
    int tiles = Math.ceilDiv(size(), TILE_KEYS);
    int blocks =
        level.parentBits() == 0
            ? Math.min(lasting().blocks(), tiles)
            : Math.max(1, (tiles >> level.parentBits()) / TILES_PER_BLOCK) << level.parentBits();
    return new LaunchShape(blocks, BLOCK);
  }

  private CountPartitions count(Entries entries, PartitionLevel level) {
    long crowd = MAX_KEYS_PER_SLOT * (table.slots() >> (level.parentBits() + level.bits()));
    return new CountPartitions(
        table,
        entries,
        level,
        SharedInts.of(1 << PartitionScratch.MAX_BITS),
        (int) Math.min(Integer.MAX_VALUE, crowd));
  }
}
