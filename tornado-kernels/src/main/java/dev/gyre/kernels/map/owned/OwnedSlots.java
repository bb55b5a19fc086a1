package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;

/**
 * A table as a thread sees it that owns its slots, and what it does with some keys of a batch at a
 * time; all accesses are plain, and others may read meanwhile.
 */
interface OwnedSlots {

  /**
   * Inserts keys that are not there; says for each what has become of it, and where it is.
   *
   * @param last the last slot that is owned, or -1 if all are
   * @param at the first key
   * @return how many were INSERTED
   */
  int insert(long last, long at, int count, Told told);

  /** Publishes what was inserted. */
  void publish(Told told, int count);

  /** Changes the values of keys that are PRESENT. */
  void update(long at, int count, Change change, Told told);

  /**
   * Looks up keys; says for each what has become of it.
   *
   * @param fetches whether values are written
   * @return how many were FOUND
   */
  int find(long at, int count, Told told, boolean fetches);

  /** For a table and a batch. */
  static OwnedSlots of(Slots table, Batch batch) {
    if (table instanceof NumberSlots states) {
      return new OwnedStates(states, batch);
    }
    if (table instanceof IntLines lines) {
      return new OwnedWords(lines, batch);
    }
    if (table instanceof PackedSlots packed) {
      return new OwnedWords(packed, batch);
    }
    throw new IllegalArgumentException("slots of " + table.getClass() + " are not owned");
  }
}
