package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;

/**
 * Operations on single keys of a table, with the protocol of bulk operations. For the JVM.
 *
 * <p><b>Order.</b> Operations of several threads on one table are linearizable. Therefore all
 * racing accesses are seq_cst: a thread that inserts one key and then looks up another must not
 * miss what a thread that does the opposite has inserted.
 *
 * <p><b>Progress.</b> A search passes over a RESERVED slot: its key is in the table only from the
 * publication on, and in no later slot. So a search does not wait. An insert waits for the thread
 * that claimed a slot. In layouts without RESERVED, all operations are wait-free for a table of
 * bounded size, except updates of values and inserts into a side slot, which are lock-free.
 *
 * @since 0.1.0
 */
public final class SingleKeys {

  /** Result of an insert in place of a slot: the key was absent and has been inserted. */
  public static final long NONE = -1;

  /** Result in place of a slot: a wait for another thread gave up. */
  public static final long STUCK = -2;

  /** Result in place of an int value: its key was removed after it was found. */
  public static final long GONE = Long.MIN_VALUE;

  private SingleKeys() {}

  /**
   * Place of a key, or where its insert begins.
   *
   * @param slot the slot; if the key is absent, the complement of the slot to begin with, which is
   *     negative
   * @param seen what was read of the slot
   */
  public record Place(long slot, long seen) {
    /** Returns whether the key was found. */
    public boolean isFound() {
      return slot >= 0;
    }
  }

  /** Looks up a key. */
  static Place find(Slots table, long key) {
    long slots = table.slots();
    long home = table.home(key, table.hash(key));
    // All slots in a circle; from a side slot, which contains only its own key, no further.
    long end = home >= slots ? home + 1 : home;
    long slot = home;
    long seen = EMPTY;
    // The first RESERVED slot, which may become this key's.
    long begin = NONE;
    int outcome = SEARCHING;
    while (outcome == SEARCHING) {
      // seq_cst: pairs with publish in insert()
      seen = table.loadSeqCst(slot);
      boolean occupied = table.isOccupied(seen);
      begin = begin == NONE && !occupied && seen != EMPTY ? slot : begin;
      if (occupied && matches(table, slot, seen, key)) {
        outcome = FOUND;
      } else if (seen == EMPTY) {
        outcome = ABSENT;
      } else {
        slot = slot + 1 == slots ? 0 : slot + 1;
        outcome = slot == end ? ABSENT : SEARCHING;
      }
    }
    long start = begin == NONE ? slot : begin;
    return new Place(outcome == FOUND ? slot : ~start, seen);
  }

  /**
   * Compares keys. The hash and the claim word are computed again, so that no register holds them
   * during a loop.
   */
  private static boolean matches(Slots table, long slot, long seen, long key) {
    return table.matches(slot, seen, key, table.hash(key), table.claimWord(key, 0));
  }

  /**
   * Inserts a key with its value if it is absent. The caller has a reservation.
   *
   * @param start the slot to begin with, from a find in the same table that did not find the key
   * @param text start of the space for its text in the arena
   * @return the slot where the key was present; {@link #NONE} if it was absent; {@link #STUCK}
   */
  static long insert(Slots table, long start, long key, long value, long text, long pollLimit) {
    long claimWord = table.claimWord(key, value);
    // Before the claim, because a user's hash may throw.
    long hash = table.hash(key);
    long slot = start;
    // Mostly EMPTY, as the find saw it.
    long seen = table.claimSeqCst(slot, claimWord);
    while (seen != EMPTY) {
      seen = table.await(slot, seen, pollLimit);
      Place place = find(table, key);
      if (place.isFound()) {
        return place.slot();
      }
      boolean isFull = ~place.slot() == slot && place.seen() != EMPTY;
      if (seen != EMPTY && (!table.isOccupied(seen) || isFull)) {
        // The wait gave up, or the search has met no EMPTY slot. The key of a side slot may have
        // been inserted and removed meanwhile: that slot is EMPTY again.
        return STUCK;
      }
      slot = ~place.slot();
      seen = table.claimSeqCst(slot, claimWord);
    }
    table.fillSeqCst(slot, key, hash, value, text);
    return NONE;
  }
}
