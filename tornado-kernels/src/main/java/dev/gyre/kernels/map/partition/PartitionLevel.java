package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Describes a level of partitions: each parent is cut into as many children, by the next bits of
 * the hash. The numbers of a level are in one array of ints.
 *
 * @param numbers all 0 at the start
 * @param counters of the insert, of which CROWDED and OVERFLOWED belong to all levels
 * @param above where the places begin at which the entries of each parent begin, and the end of the
 *     last; not read if there is one parent
 * @param at where this level's part of the array begins, of {@link #ints} ints
 * @param entries the number of all entries
 * @param parentBits bits of the hash that tell parents apart
 * @param bits bits that tell children apart
 */
public record PartitionLevel(
    DeviceInts numbers,
    DeviceLongs counters,
    long above,
    long at,
    long entries,
    int parentBits,
    int bits) {

  /** Elements of the array that a level of {@code 2^bits} partitions takes. */
  public static long ints(int bits) {
    return (3L << bits) + 1;
  }

  public int children() {
    return 1 << bits;
  }

  public int partitions() {
    return 1 << (parentBits + bits);
  }

  /** The place of the first entry of a parent. */
  long begin(int parent) {
    return parentBits == 0 ? 0 : numbers.get(above + parent);
  }

  /** The place behind the last entry of a parent. */
  long end(int parent) {
    return parentBits == 0 ? entries : numbers.get(above + parent + 1);
  }

  /** Which child of its parent a key belongs to. */
  int child(NumberTable table, long key) {
    return table.part(table.hash(key), parentBits + bits) & ((1 << bits) - 1);
  }

  /** The first slot of a partition; the end of the slots for the one behind the last. */
  long firstSlot(NumberTable table, int partition) {
    return partition == partitions() ? table.slots() : table.firstOf(partition, parentBits + bits);
  }

  /** Element that counts the entries of a partition. */
  long total(int partition) {
    return at + partition;
  }

  /** Element that counts the places of a partition which have been taken. */
  long taken(int partition) {
    return at + partitions() + partition;
  }

  /** Where the places begin at which the entries of each partition begin, and the last end. */
  public long begins() {
    return at + 2L * partitions();
  }

  /** Says that a partition has too many entries. */
  void crowd() {
    // relaxed: the end of the launch publishes it
    counters.storeRelaxed(MapCodes.CROWDED, 1);
  }

  boolean isCrowded() {
    return counters.get(MapCodes.CROWDED) != 0;
  }

  /** Takes places for entries that overflow; returns the first. */
  static long overflow(DeviceLongs counters, int entries) {
    // relaxed: the places belong to the caller alone
    return counters.fetchAddRelaxed(MapCodes.OVERFLOWED, entries);
  }
}
