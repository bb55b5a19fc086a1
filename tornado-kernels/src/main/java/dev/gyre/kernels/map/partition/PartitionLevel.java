package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Level of partitions: each parent is divided into as many children, by the next bits of the hash.
 * The numbers of a level are in one array of ints.
 *
 * @param numbers the numbers, initially 0
 * @param counters counters of the insert, in which CROWDED and OVERFLOWED are common to all levels
 * @param above index of the places where the entries of each parent begin, and of the end of the
 *     last; not read if there is one parent
 * @param at index of this level's part of the array, of {@link #ints} ints
 * @param entries number of all entries
 * @param parentBits bits of the hash that select the parent
 * @param bits bits of the hash that select the child
 */
public record PartitionLevel(
    DeviceInts numbers,
    DeviceLongs counters,
    long above,
    long at,
    long entries,
    int parentBits,
    int bits) {

  /** Returns the number of ints of a level with {@code 2^bits} partitions. */
  public static long ints(int bits) {
    return (3L << bits) + 1;
  }

  public int children() {
    return 1 << bits;
  }

  public int partitions() {
    return 1 << (parentBits + bits);
  }

  /** Returns the place of the first entry of a parent. */
  long begin(int parent) {
    return parentBits == 0 ? 0 : numbers.get(above + parent);
  }

  /** Returns the place after the last entry of a parent. */
  long end(int parent) {
    return parentBits == 0 ? entries : numbers.get(above + parent + 1);
  }

  /** Returns the child of a key. */
  int child(NumberTable table, long key) {
    return table.partition(table.hash(key), parentBits + bits) & ((1 << bits) - 1);
  }

  /** Returns the first slot of a partition; after the last partition, the number of slots. */
  long firstSlot(NumberTable table, int partition) {
    return partition == partitions()
        ? table.slots()
        : table.firstSlotOf(partition, parentBits + bits);
  }

  /** Returns the index of the number of entries of a partition. */
  long total(int partition) {
    return at + partition;
  }

  /** Returns the index of the number of allocated places of a partition. */
  long taken(int partition) {
    return at + partitions() + partition;
  }

  /**
   * Returns the index of the places where the entries of each partition begin, and the last end.
   */
  public long begins() {
    return at + 2L * partitions();
  }

  /** Notes that a partition has too many entries. */
  void crowd() {
    // relaxed: the end of the launch publishes it
    counters.storeRelaxed(MapCodes.CROWDED, 1);
  }

  boolean isCrowded() {
    return counters.get(MapCodes.CROWDED) != 0;
  }

  /** Allocates places for entries that overflow; returns the first. */
  static long overflow(DeviceLongs counters, int entries) {
    // relaxed: allocates places for the caller only
    return counters.fetchAddRelaxed(MapCodes.OVERFLOWED, entries);
  }
}
