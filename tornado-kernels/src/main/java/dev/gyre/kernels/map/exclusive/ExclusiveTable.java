package dev.gyre.kernels.map.exclusive;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.DamagedTableException;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;

/**
 * A table whose slots a thread owns, with operations on a block of keys. Other threads may read
 * meanwhile.
 *
 * <p><b>Access.</b> The loops work on longs and, except {@link #copyEntries}, by address ({@link
 * dev.gyre.atomics.AddressPin#first}). Through handles HotSpot compiles them with more instructions
 * than a whole search needs.
 *
 * <p><b>Safety.</b> No thread frees the table meanwhile: the caller has entered the operation lock.
 * No access leaves the table, whatever keys, hashes and slots contain. A search begins at {@code
 * first + (home << shift)}, where {@code home} is less than the number of slots, or at the side
 * slot. It continues at the first place after the last one. It ends at an EMPTY slot or at the last
 * owned slot. If it reaches the end of the slots a second time, it throws {@link
 * DamagedTableException}.
 */
interface ExclusiveTable {

  /** Stands for no key: no search has reached the end of the slots. */
  int NONE = -1;

  /**
   * Notes that the search for a key continues at the first slot.
   *
   * @param last the key whose search did so last
   * @throws DamagedTableException if it is the same key
   */
  static int wrap(int last, int key) {
    if (last == key) {
      throw new DamagedTableException();
    }
    return key;
  }

  /**
   * Inserts absent keys and publishes them. Writes the outcome and the place of each key if
   * requested; otherwise notes the STUCK keys.
   *
   * @param last the last owned slot, or -1 for all
   * @return number of INSERTED keys
   */
  int insert(long last, int count, ResultBlock block);

  /** Changes the values of PRESENT keys. */
  void update(int count, Change change, ResultBlock block);

  /**
   * Looks up keys; writes the outcome of each if requested.
   *
   * @param fetches whether to write the value of each key, 0 for absent keys
   * @return number of FOUND keys
   */
  int find(int count, ResultBlock block, boolean fetches);

  /**
   * Copies the entries of some slots, at most {@link ResultBlock#LENGTH}, to two arrays, which have
   * room for an entry of each slot, while other threads may update.
   *
   * @param keysAt index of the first key
   * @param valuesAt index of the first value
   * @return number of entries
   */
  int copyEntries(long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt);

  /**
   * Reads the entries of some slots, at most {@link ResultBlock#LENGTH}, that no other thread
   * changes, as keys and values of a block.
   *
   * @return number of entries
   */
  int read(long from, long to, ResultBlock block);

  /** Returns whether a table of numbers hashes longs, and columns of its operations are longs. */
  static boolean areLongs(Slots table) {
    return table instanceof NumberTable.LongHomes;
  }

  /** Returns the owned slots of a table. */
  static ExclusiveTable of(Slots table) {
    if (table instanceof NumberSlots states) {
      return new ExclusiveStateTable(states);
    }
    if (table instanceof PackedSlots packed) {
      return new ExclusivePackedTable(packed);
    }
    if (table instanceof KeySlots keys) {
      return new ExclusiveKeyTable(keys);
    }
    throw new IllegalArgumentException("slots of " + table.getClass() + " are not owned");
  }
}
