package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ROOM;
import static dev.gyre.kernels.map.MapCodes.ROOM_STRIPES;
import static dev.gyre.kernels.map.MapCodes.UNCLAIMED;
import static dev.gyre.kernels.map.MapCodes.USED_UP;

import dev.gyre.atomics.DeviceLongs;

/**
 * Room in a table of fixed capacity, which threads take before they claim a slot.
 *
 * <p>Who takes room may find that another thread claims the slot first, and gives the room back. So
 * no room to take does not mean that the table is full: that is sure once as many slots were
 * claimed as there was room for, which a second counter tells.
 *
 * <p>Where many threads take room one by one, both counters are cut into stripes: a thread begins
 * at that of its key, and takes from another one where that has none left. What is claimed or given
 * back is counted in the stripe of the key, wherever the room came from, so that only sums say
 * anything.
 */
public final class Room {

  /** There is room, and it is the caller's until {@link #settle}. */
  static final int TAKEN = 0;

  /** All slots that there was room for were claimed, and those claims are seen by the caller. */
  static final int NONE = 1;

  /**
   * Other threads hold the last room. Most will claim a slot, it may be the caller's, who looks at
   * that again before it asks for room once more: else all that came for one key hand the room on
   * one by one, to find the slot claimed.
   */
  static final int UNDECIDED = 2;

  /** There is no room in the arena for the text of the key. */
  static final int NO_TEXT = 3;

  /** No answer yet. */
  private static final int ASKING = 4;

  /** Below so much room for each stripe, one does for all. */
  private static final long ROOM_OF_STRIPE = 1 << 10;

  private Room() {}

  /** In how many stripes to have so much room, where counters have them. */
  public static int stripes(long room) {
    return room < ROOM_OF_STRIPE * MapCodes.COUNTER_STRIPES ? 1 : MapCodes.COUNTER_STRIPES;
  }

  /** Gives counters room for so many keys, in so many stripes; for the host. */
  public static void fill(DeviceLongs counters, long room, int stripes) {
    counters.set(ROOM_STRIPES, stripes);
    for (int i = 0; i < stripes; i++) {
      long share = room / stripes + (i < room % stripes ? 1 : 0);
      counters.set((long) i * MapCodes.STRIPE_LONGS + ROOM, share);
      counters.set((long) i * MapCodes.STRIPE_LONGS + UNCLAIMED, share);
    }
  }

  /** The number of stripes that {@link #fill} was told. */
  public static int stripes(DeviceLongs counters) {
    return (int) Math.max(1, counters.get(ROOM_STRIPES));
  }

  /**
   * What has become of a key whose slot was EMPTY: INSERTED, if there was room for it. Where that
   * is undecided, the search goes on as long as there are polls left.
   */
  static int outcome(int room, long pollsLeft) {
    int undecided = pollsLeft > 0 ? MapCodes.SEARCHING : MapCodes.STUCK;
    int refused = room == NONE ? MapCodes.FULL : room == NO_TEXT ? MapCodes.PENDING : undecided;
    return room == TAKEN ? MapCodes.INSERTED : refused;
  }

  /**
   * Waits where room is UNDECIDED, longer each time, since who holds it may be kept from running; a
   * device function.
   *
   * @param polls that were left
   * @return those that are left
   */
  static long pause(DeviceLongs counters, long polls, long pollLimit) {
    return pollLimit - counters.pause(USED_UP, pollLimit - polls);
  }

  /** The first element of a key's stripe; a device function. */
  static long stripe(long hash, int stripes) {
    return (hash & (stripes - 1)) * MapCodes.STRIPE_LONGS;
  }

  /**
   * Takes room for one key, if there is any; a device function. Lock-free: a stripe that had some
   * is asked again where another thread took it.
   *
   * @param at the first element of the key's stripe
   * @param stripes number of stripes, a power of two
   */
  static int take(DeviceLongs counters, long at, int stripes) {
    // acquire: pairs with the store below; the claims that were counted are seen
    int room = counters.loadAcquire(USED_UP) != 0 ? NONE : ASKING;
    long stripe = at;
    while (room == ASKING) {
      // relaxed: a count, which orders nothing
      long before = counters.loadRelaxed(stripe + ROOM);
      if (before > 0) {
        room = takeFrom(counters, stripe);
      } else {
        stripe = next(stripe, stripes);
        if (stripe == at) {
          room = unclaimed(counters, stripes) > 0 ? UNDECIDED : NONE;
        }
      }
    }
    if (room == NONE) {
      // release: pairs with the load above; hands on the claims that were seen
      counters.storeRelease(USED_UP, 1);
    }
    return room;
  }

  /**
   * Takes from a stripe that had some: by an addition, since many threads may come at once. Who
   * took too much puts it back; what others do not find meanwhile is not claimed either.
   */
  private static int takeFrom(DeviceLongs counters, long stripe) {
    // relaxed: as the load
    boolean taken = counters.fetchSubRelaxed(stripe + ROOM, 1) > 0;
    if (!taken) {
      long _ = counters.fetchAddRelaxed(stripe + ROOM, 1);
    }
    return taken ? TAKEN : ASKING;
  }

  private static long next(long stripe, int stripes) {
    long next = stripe + MapCodes.STRIPE_LONGS;
    return next == (long) stripes * MapCodes.STRIPE_LONGS ? 0 : next;
  }

  /** The sum over stripes; each only gets less, so that it is 0 only if it stays so. */
  private static long unclaimed(DeviceLongs counters, int stripes) {
    long sum = 0;
    for (int i = 0; i < stripes; i++) {
      // acquire: pairs with settle; the claims that were counted are seen
      sum += counters.loadAcquire((long) i * MapCodes.STRIPE_LONGS + UNCLAIMED);
    }
    return sum;
  }

  /** Says whether room that was taken was used for a claim; a device function. */
  static void settle(DeviceLongs counters, long at, boolean claimed) {
    if (claimed) {
      // release: pairs with take; publishes the claim to who finds no room
      long _ = counters.fetchSubRelease(at + UNCLAIMED, 1);
    }
    if (!claimed) {
      // relaxed: as in take
      long _ = counters.fetchAddRelaxed(at + ROOM, 1);
    }
  }
}
