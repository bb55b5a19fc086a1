package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.DamagedTableException;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;

/**
 * A table as a thread sees it that owns its slots, and what it does with some keys of a batch at a
 * time; others may read meanwhile. The loops work on longs and, but for {@link #copyEntries}, by
 * address ({@link dev.gyre.atomics.Hold#first}): through handles, HotSpot compiles them with more
 * instructions than a search has otherwise.
 *
 * <p>Nobody frees the table meanwhile: who works on it is inside the gate. No access leaves it,
 * whatever keys, hashes and slots hold: a search begins at {@code first + (home << shift)}, where
 * {@code home} is less than the number of slots, or at the side slot, and its next place is the
 * first one where it would not be before the end. It ends at an EMPTY slot or at the last one that
 * is owned. If there is neither, it ends by a {@link DamagedTableException} when it comes to the
 * end of the slots for the second time.
 */
interface OwnedSlots {

  /** In place of a key: none has come to the end of the slots yet. */
  int NONE = -1;

  /**
   * Notes that the search for a key goes on at the first slot.
   *
   * @param last the key whose search did so last
   * @throws DamagedTableException if that is this one
   */
  static int turn(int last, int key) {
    if (last == key) {
      throw new DamagedTableException();
    }
    return key;
  }

  /**
   * Inserts keys that are not there, and publishes them; where each is told, says for each what has
   * become of it, and where it is, else which are STUCK.
   *
   * @param last the last slot that is owned, or -1 if all are
   * @return how many were INSERTED
   */
  int insert(long last, int count, Told told);

  /** Changes the values of keys that are PRESENT. */
  void update(int count, Change change, Told told);

  /**
   * Looks up keys; where each is told, says for each what has become of it.
   *
   * @param fetches whether to say the value of each, too, or 0
   * @return how many were FOUND
   */
  int find(int count, Told told, boolean fetches);

  /**
   * Copies the entries of some slots, at most {@link Told#LENGTH}, to two arrays; here others may
   * update slots.
   *
   * @param keysAt element for the first key
   * @param valuesAt element for its value
   * @return how many there are
   */
  int copyEntries(long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt);

  /** Whether the keys of a table of numbers are longs. */
  static boolean areLongs(Slots table) {
    return table instanceof LongSlots || table instanceof KeySlots.OfLongs;
  }

  /** For a table. */
  static OwnedSlots of(Slots table) {
    if (table instanceof NumberSlots states) {
      return new OwnedStates(states);
    }
    if (table instanceof PackedSlots packed) {
      return new OwnedWords(packed);
    }
    if (table instanceof KeySlots keys) {
      return new OwnedKeys(keys);
    }
    throw new IllegalArgumentException("slots of " + table.getClass() + " are not owned");
  }
}
