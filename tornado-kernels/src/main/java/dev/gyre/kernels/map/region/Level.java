package dev.gyre.kernels.map.region;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * A level of regions, which are parts of the hashes: each parent is cut into as many children. What
 * is known of them is in one array of ints.
 *
 * @param numbers all 0 at the start
 * @param counters of the insert, of which CROWDED and SPILLED are of all levels
 * @param above where the places are at which the entries of each parent begin, and the end of the
 *     last; not looked at where there is one parent
 * @param at where this level's part of the array begins, of {@link #ints} ints
 * @param entries all there are
 * @param parentBits bits of the hash that tell parents apart
 * @param bits bits that tell children apart
 */
public record Level(
    DeviceInts numbers,
    DeviceLongs counters,
    long above,
    long at,
    long entries,
    int parentBits,
    int bits) {

  /** Elements of the array that a level of {@code 2^bits} regions takes. */
  public static long ints(int bits) {
    return (3L << bits) + 1;
  }

  public int children() {
    return 1 << bits;
  }

  public int regions() {
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

  /** The region of a hash. */
  int region(NumberTable table, long hash) {
    return table.part(hash, parentBits + bits);
  }

  /** The first slot of a region, and of the one behind the last the end of the slots. */
  long firstSlot(NumberTable table, int region) {
    return region == regions() ? table.slots() : table.firstOf(region, parentBits + bits);
  }

  /** Element that counts the entries of a region. */
  long total(int region) {
    return at + region;
  }

  /** Element that counts the places of a region which have been taken. */
  long taken(int region) {
    return at + regions() + region;
  }

  /** Where the places are at which the entries of each region begin, and the end of the last. */
  public long begins() {
    return at + 2L * regions();
  }

  /** Says that {@link PlaceRegions} has not built a region: all totals have been read by then. */
  void leave(int region) {
    numbers.set(total(region), -1);
  }

  boolean isLeft(int region) {
    return numbers.get(total(region)) < 0;
  }

  /** Says that a region has too many entries. */
  void crowd() {
    // relaxed: the end of the launch publishes it
    counters.storeRelaxed(MapCodes.CROWDED, 1);
  }

  boolean isCrowded() {
    return counters.get(MapCodes.CROWDED) != 0;
  }

  /** Takes places for entries that found no slot in their region; returns the first. */
  static long spill(DeviceLongs counters, int entries) {
    // relaxed: places, which are nobody else's
    return counters.fetchAddRelaxed(MapCodes.SPILLED, entries);
  }
}
