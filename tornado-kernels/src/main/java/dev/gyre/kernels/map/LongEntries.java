package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.LongSlots.keyAt;
import static dev.gyre.kernels.map.LongSlots.stateAt;
import static dev.gyre.kernels.map.LongSlots.valueAt;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * One key at a time in the tables of {@link LongSlots}, by the same protocol; device functions.
 *
 * <p>Operations of several threads on one table are linearizable, which is why all accesses that
 * race are seq_cst: a thread that inserts one key and then looks for another must not miss what a
 * thread that did the opposite has inserted. A search passes over a slot that is RESERVED: its key
 * is in the table only from the publication on, and is in no slot behind it. So a search waits for
 * nobody; an insert waits for the thread that claimed a slot.
 */
public final class LongEntries {

  /** In place of a slot: the key is not in the table. After an insert: it was not, and is now. */
  public static final long NONE = -1;

  /** In place of a slot: a wait for another thread gave up. */
  public static final long STUCK = -2;

  private LongEntries() {}

  /** The slot of a key, or NONE. */
  public static long find(
      int layout, DeviceInts states, DeviceLongs keys, long slots, long seed, long key) {
    long slot = Hashing.home(key, seed, slots);
    long found = NONE;
    long left = slots;
    while (left > 0) {
      // seq_cst: pairs with publish in insert()
      int state = states.loadSeqCst(stateAt(layout, slot));
      boolean same = state == FILLED && keys.get(keyAt(layout, slot)) == key;
      found = same ? slot : NONE;
      left = same || state == EMPTY ? 0 : left - 1;
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return found;
  }

  /**
   * Inserts a key with its value unless it is there. The caller has seen to it that there is room.
   *
   * @return the slot where the key was already; NONE if it was not; STUCK
   */
  public static long insert(
      int layout,
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      long key,
      long value,
      long pollLimit) {
    long slot = Hashing.home(key, seed, slots);
    long result = NONE;
    boolean searching = true;
    while (searching) {
      long at = stateAt(layout, slot);
      int state = states.loadSeqCst(at);
      if (state == EMPTY) {
        state = states.compareAndExchangeSeqCst(at, EMPTY, RESERVED);
        searching = state != EMPTY;
      }
      if (!searching) {
        keys.set(keyAt(layout, slot), key);
        values.set(valueAt(layout, slot), value);
        // seq_cst: publishes key and value, before anything this thread looks at later
        states.storeSeqCst(at, FILLED);
      }
      if (state == RESERVED) {
        // acquire: pairs with publish
        state = states.waitWhileEqualAcquire(at, RESERVED, pollLimit);
      }
      if (state == RESERVED) {
        result = STUCK;
        searching = false;
      }
      if (state == FILLED) {
        boolean same = keys.get(keyAt(layout, slot)) == key;
        result = same ? slot : NONE;
        searching = !same;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return result;
  }
}
