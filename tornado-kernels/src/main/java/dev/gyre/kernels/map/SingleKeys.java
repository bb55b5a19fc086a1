package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;

/**
 * One key at a time in a table, by the same protocol as in bulk; for the JVM.
 *
 * <p>Operations of several threads on one table are linearizable, which is why all accesses that
 * race are seq_cst: a thread that inserts one key and then looks for another must not miss what a
 * thread that did the opposite has inserted. A search passes over a slot that is RESERVED: its key
 * is in the table only from the publication on, and is in no slot behind it. So a search waits for
 * nobody; an insert waits for the thread that claimed a slot. Where slots have no RESERVED, all are
 * wait-free in a table of bounded size, but for updates of a value, which are lock-free.
 */
public final class SingleKeys {

  /** In place of a slot, after an insert: the key was not in the table, and is now. */
  public static final long NONE = -1;

  /** In place of a slot: a wait for another thread gave up. */
  public static final long STUCK = -2;

  private SingleKeys() {}

  /**
   * Where a key is, or where an insert of it begins.
   *
   * @param slot the slot; if the key is in none, the complement of the slot to begin with, which is
   *     negative
   * @param seen what was seen of the slot
   */
  public record Place(long slot, long seen) {
    /** Whether the key is there. */
    public boolean isFound() {
      return slot >= 0;
    }
  }

  /** Looks for a key. */
  static Place find(Slots table, long key) {
    long slots = table.slots();
    long home = table.home(key, table.hash(key));
    // All the way round; from a side slot, where nothing but its own key is, no further.
    long end = home == slots ? home + 1 : home;
    long slot = home;
    long seen = EMPTY;
    boolean passed = false;
    int outcome = SEARCHING;
    while (outcome == SEARCHING) {
      // seq_cst: pairs with publish in insert()
      seen = table.loadSeqCst(slot);
      boolean filled = table.isFilled(seen);
      // What is RESERVED may become this key's.
      passed |= !filled && seen != EMPTY;
      if (filled && same(table, slot, seen, key)) {
        outcome = FOUND;
      } else if (seen == EMPTY) {
        outcome = ABSENT;
      } else {
        slot = slot + 1 == slots ? 0 : slot + 1;
        outcome = slot == end ? ABSENT : SEARCHING;
      }
    }
    long start = passed ? home : slot;
    return new Place(outcome == FOUND ? slot : ~start, seen);
  }

  /** Hash and desired word are made anew, as no register need be kept for them in a loop. */
  private static boolean same(Slots table, long slot, long seen, long key) {
    return table.same(slot, seen, key, table.hash(key), table.desired(key, 0));
  }

  /**
   * Inserts a key with its value unless it is there. The caller has seen to it that there is room.
   *
   * @param start the slot to begin with, from a find in the same table that did not find the key
   * @param text where text begins that the arena has room for
   * @return the slot where the key was already; {@link #NONE} if it was not; {@link #STUCK}
   */
  static long insert(Slots table, long start, long key, long value, long text, long pollLimit) {
    long slots = table.slots();
    long desired = table.desired(key, value);
    long slot = start;
    // As the find saw it, most often; if not, the claim says so.
    long seen = EMPTY;
    while (true) {
      if (seen == EMPTY) {
        // Before the claim: a hash of the user's may throw.
        long hash = table.hash(key);
        seen = table.claimSeqCst(slot, desired);
        if (seen == EMPTY) {
          table.fillSeqCst(slot, key, hash, value, text);
          return NONE;
        }
      }
      seen = table.await(slot, seen, pollLimit);
      if (table.isFilled(seen)) {
        if (same(table, slot, seen, key)) {
          return slot;
        }
        slot = slot + 1 == slots ? 0 : slot + 1;
        if (slot == start) {
          return STUCK;
        }
        seen = table.loadSeqCst(slot);
      } else if (seen != EMPTY) {
        return STUCK;
      }
    }
  }
}
