package org.example;

import dev.gyre.atomics.DeviceLongs;

/**
 * Queue of longs for concurrent producers and consumers, after Dmitry Vyukov. Each slot has a turn,
 * which says for which position the slot is free or filled.
 *
 * <p>A thread that finds the turn of its position claims the slot by compare-and-set, and occupies
 * it for only a few instructions. A thread that finds the queue full or empty polls for a while,
 * and then gives up without an effect. So the queue also works if threads run one after another:
 * the next launch processes the rest.
 *
 * <p>The turn is published with release, after the item was written or read, and loaded with
 * acquire.
 *
 * @param slots two longs per slot: the turn, which is at first the number of the slot, and the item
 * @param ends two longs: positions of the next item to put, and to take
 * @param mask number of slots, a power of two, minus 1
 */
record BoundedQueue(DeviceLongs slots, DeviceLongs ends, long mask) {

  private static final int TAIL = 0;
  private static final int HEAD = 1;

  /** Puts an item; returns whether a slot became free within a number of polls. */
  boolean put(long item, long polls) {
    long position = claim(TAIL, 0, polls);
    if (position >= 0) {
      long slot = 2 * (position & mask);
      slots.set(slot + 1, item);
      // release: publishes the item to take
      slots.storeRelease(slot, position + 1);
    }
    return position >= 0;
  }

  /**
   * Takes an item, and writes it to an array at the position that it had in the queue. Returns
   * whether there was an item within a number of polls.
   */
  boolean take(DeviceLongs into, long polls) {
    long position = claim(HEAD, 1, polls);
    if (position >= 0) {
      long slot = 2 * (position & mask);
      into.set(position, slots.get(slot + 1));
      // release: the item was read before another is put there
      slots.storeRelease(slot, position + mask + 1);
    }
    return position >= 0;
  }

  /**
   * Claims a position at an end whose slot has the turn of that position plus an offset; returns -1
   * if no slot has it in time.
   */
  private long claim(int end, int ahead, long polls) {
    long position = -1;
    boolean gaveUp = false;
    while (!gaveUp & position < 0) {
      long at = ends.loadRelaxed(end);
      long slot = 2 * (at & mask);
      // acquire: pairs with the release of the previous user of the slot
      long turn = slots.loadAcquire(slot);
      if (turn == at + ahead) {
        position = ends.compareAndSetRelaxed(end, at, at + 1) ? at : -1;
      }
      if (turn < at + ahead) {
        gaveUp = slots.waitWhileEqualAcquire(slot, turn, polls) == turn;
      }
    }
    return position;
  }
}
