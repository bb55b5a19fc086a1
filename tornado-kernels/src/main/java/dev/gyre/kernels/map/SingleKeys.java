package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

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

  /** In place of a slot: the key is not in the table. After an insert: it was not, and is now. */
  public static final long NONE = -1;

  /** In place of a slot: a wait for another thread gave up. */
  public static final long STUCK = -2;

  private SingleKeys() {}

  /** The slot of a key, or {@link #NONE}. */
  static long find(Slots table, long key) {
    long slots = table.slots();
    long hash = table.hash(key);
    long slot = table.home(key, hash);
    // Nothing but its own key is in a side slot.
    long last = slot == slots ? slot : slot == 0 ? slots - 1 : slot - 1;
    long found = NONE;
    boolean searching = true;
    while (searching) {
      // seq_cst: pairs with publish in insert()
      long seen = table.loadSeqCst(slot);
      boolean same = table.isFilled(seen) && table.same(slot, seen, key, hash);
      found = same && table.hasValue(table.besideSeqCst(slot)) ? slot : NONE;
      searching = !same && seen != EMPTY && slot != last;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return found;
  }

  /**
   * Inserts a key with its value unless it is there. The caller has seen to it that there is room.
   *
   * @param text where text begins that the arena has room for
   * @return the slot where the key was already; {@link #NONE} if it was not; {@link #STUCK}
   */
  static long insert(Slots table, long key, long value, long text, long pollLimit) {
    long slots = table.slots();
    long hash = table.hash(key);
    long desired = table.desired(key, value);
    long slot = table.home(key, hash);
    long result = NONE;
    boolean searching = true;
    while (searching) {
      long seen = table.loadSeqCst(slot);
      if (seen == EMPTY) {
        seen = table.claimSeqCst(slot, desired);
        searching = seen != EMPTY;
      }
      if (!searching) {
        table.fillSeqCst(slot, key, hash, value, text);
      }
      seen = table.await(slot, seen, pollLimit);
      if (seen != EMPTY && !table.isFilled(seen)) {
        result = STUCK;
        searching = false;
      }
      if (table.isFilled(seen) && table.same(slot, seen, key, hash)) {
        result = table.hasValue(table.awaitValueSeqCst(slot, pollLimit)) ? slot : STUCK;
        searching = false;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return result;
  }
}
