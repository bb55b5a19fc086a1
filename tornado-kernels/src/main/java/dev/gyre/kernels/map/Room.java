package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ROOM;
import static dev.gyre.kernels.map.MapCodes.UNCLAIMED;

import dev.gyre.atomics.DeviceLongs;

/**
 * Room in a table of fixed capacity, which threads take before they claim a slot.
 *
 * <p>Who takes room may find that another thread claims the slot first, and gives the room back. So
 * no room to take does not mean that the table is full: that is sure once as many slots were
 * claimed as there was room for, which a second counter tells.
 */
final class Room {

  /** There is room, and it is the caller's until {@link #settle}. */
  static final int TAKEN = 0;

  /** All slots that there was room for were claimed, and those claims are seen by the caller. */
  static final int NONE = 1;

  /** Other threads hold the last room, and did not settle within the poll limit. */
  static final int UNDECIDED = 2;

  /** There is no room in the arena for the text of the key. */
  static final int NO_TEXT = 3;

  private Room() {}

  /** What has become of a key whose slot was EMPTY: INSERTED, if there was room for it. */
  static int outcome(int room) {
    int refused =
        room == NONE ? MapCodes.FULL : room == NO_TEXT ? MapCodes.PENDING : MapCodes.STUCK;
    return room == TAKEN ? MapCodes.INSERTED : refused;
  }

  /**
   * Takes room for one key, or waits until there is none; a device function. Taking is lock-free:
   * it fails only where another thread took some, which is no poll.
   */
  static int take(DeviceLongs counters, long pollLimit) {
    int room = UNDECIDED;
    long poll = 0;
    while (poll < pollLimit) {
      // relaxed: a count, which orders nothing
      long before = counters.loadRelaxed(ROOM);
      if (before > 0) {
        // relaxed: as the load
        long seen = counters.compareAndExchangeRelaxed(ROOM, before, before - 1);
        room = seen == before ? TAKEN : UNDECIDED;
      }
      if (before <= 0) {
        // acquire: pairs with settle; the claims that were counted are seen
        room = counters.loadAcquire(UNCLAIMED) > 0 ? UNDECIDED : NONE;
        poll++;
      }
      poll = room == UNDECIDED ? poll : pollLimit;
    }
    return room;
  }

  /** Says whether room that was taken was used for a claim; a device function. */
  static void settle(DeviceLongs counters, boolean claimed) {
    if (claimed) {
      // release: pairs with take; publishes the claim to who finds no room
      counters.fetchSubRelease(UNCLAIMED, 1);
    }
    if (!claimed) {
      // relaxed: as in take
      counters.fetchAddRelaxed(ROOM, 1);
    }
  }
}
