package org.example;

import dev.gyre.atomics.DeviceLongs;

/**
 * A queue of longs for many producers and consumers at once, after Dmitry Vyukov's: each slot has a
 * turn, which says for which position it is free, or filled. Who finds the turn of a position
 * claims it by compare-and-set, so that nobody holds what others wait for but for a few
 * instructions; who finds it full, or empty, waits a while and then gives up with nothing claimed.
 * So it works where threads run one after another, too: what is left is done by the next launch.
 *
 * <p>The turn is published with release, after the item was written or read, and loaded with
 * acquire.
 *
 * @param slots two longs per slot: turn, at first the number of the slot, and item
 * @param ends two longs: positions of the next item to put, and to take
 * @param mask the number of slots, a power of two, less 1
 */
record BoundedQueue(DeviceLongs slots, DeviceLongs ends, long mask) {

  private static final int TAIL = 0;
  private static final int HEAD = 1;

  /** Puts an item; whether there was room within a number of polls. */
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
   * Takes an item into an array, at the position that it had in the queue; whether there was one
   * within a number of polls.
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

  /** A position at an end, where its slot's turn is the position and some; or -1. */
  private long claim(int end, int ahead, long polls) {
    long position = -1;
    boolean gaveUp = false;
    while (!gaveUp & position < 0) {
      long at = ends.loadRelaxed(end);
      long slot = 2 * (at & mask);
      // acquire: pairs with the release of who had the slot before
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
