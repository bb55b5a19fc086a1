package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.CAPACITY;
import static dev.gyre.kernels.map.MapCodes.CAPACITY_STRIPES;
import static dev.gyre.kernels.map.MapCodes.UNCLAIMED;
import static dev.gyre.kernels.map.MapCodes.USED_UP;

import dev.gyre.atomics.DeviceLongs;

/**
 * Reservations in a table of fixed capacity, which threads take before they claim a slot.
 *
 * <p><b>Protocol.</b> A thread with a reservation may find that another thread claims the slot
 * first, and returns the reservation. Therefore a lack of reservations does not imply that the
 * table is full. The table is full when as many slots were claimed as there were reservations,
 * which a second counter shows.
 *
 * <p><b>Stripes.</b> If many threads take reservations one by one, both counters are divided into
 * stripes. A thread starts at the stripe of its key, and takes from another one if it is empty.
 * Claims and returns are counted in the stripe of the key, wherever the reservation came from, so
 * that only the sums have a meaning.
 *
 * @since 0.1.0
 */
public final class CapacityCounters {

  /** The caller has a reservation until {@link #endReservation}. */
  static final int TAKEN = 0;

  /** All slots with reservations were claimed, and these claims are visible to the caller. */
  static final int NONE = 1;

  /**
   * Other threads have the last reservations. Most will claim a slot, possibly the caller's, so
   * that it checks its slot again before it asks again. Otherwise all threads with one key would
   * pass the reservation on, one by one, only to find the slot claimed.
   */
  static final int UNDECIDED = 2;

  /** The text of the key does not fit in the arena. */
  static final int NO_TEXT = 3;

  /** No result yet. */
  private static final int ASKING = 4;

  /** Reservations per stripe below which one stripe is enough. */
  private static final long MIN_CAPACITY_PER_STRIPE = 1 << 10;

  private CapacityCounters() {}

  /** Returns the number of stripes for a number of reservations, if the counters have stripes. */
  public static int stripes(long capacity) {
    return capacity < MIN_CAPACITY_PER_STRIPE * MapCodes.COUNTER_STRIPES
        ? 1
        : MapCodes.COUNTER_STRIPES;
  }

  /** Sets the reservations of counters to a number of keys, in stripes. For the host. */
  public static void fill(DeviceLongs counters, long capacity, int stripes) {
    counters.set(CAPACITY_STRIPES, stripes);
    for (int i = 0; i < stripes; i++) {
      long share = capacity / stripes + (i < capacity % stripes ? 1 : 0);
      counters.set((long) i * MapCodes.STRIPE_LONGS + CAPACITY, share);
      counters.set((long) i * MapCodes.STRIPE_LONGS + UNCLAIMED, share);
    }
  }

  /** Returns the number of stripes that {@link #fill} has set. */
  public static int stripes(DeviceLongs counters) {
    return (int) Math.max(1, counters.get(CAPACITY_STRIPES));
  }

  /**
   * Returns the outcome of a key whose slot was EMPTY: INSERTED with a reservation. If it is
   * undecided, the search continues while polls are left.
   */
  static int outcome(int reservation, long pollsLeft) {
    int undecided = pollsLeft > 0 ? MapCodes.SEARCHING : MapCodes.STUCK;
    int refused =
        reservation == NONE ? MapCodes.FULL : reservation == NO_TEXT ? MapCodes.PENDING : undecided;
    return reservation == TAKEN ? MapCodes.INSERTED : refused;
  }

  /**
   * Waits while reservations are UNDECIDED, longer each time, because their owners may not be
   * running. A device function.
   *
   * @param polls polls that were left
   * @return polls that are left
   */
  static long pause(DeviceLongs counters, long polls, long pollLimit) {
    return pollLimit - counters.pause(USED_UP, pollLimit - polls);
  }

  /** Returns the first element of the stripe of a key. A device function. */
  static long stripe(long hash, int stripes) {
    return (hash & (stripes - 1)) * MapCodes.STRIPE_LONGS;
  }

  /**
   * Takes a reservation for one key, if there is one. A device function.
   *
   * <p>Lock-free: a stripe is tried again if another thread took its reservation.
   *
   * @param at first element of the stripe of the key
   * @param stripes number of stripes, a power of two
   */
  static int take(DeviceLongs counters, long at, int stripes) {
    // acquire: pairs with the store below; the counted claims are visible
    int reservation = counters.loadAcquire(USED_UP) != 0 ? NONE : ASKING;
    long stripe = at;
    while (reservation == ASKING) {
      // relaxed: a count, which orders nothing
      long before = counters.loadRelaxed(stripe + CAPACITY);
      if (before > 0) {
        reservation = takeFrom(counters, stripe);
      } else {
        stripe = next(stripe, stripes);
        if (stripe == at) {
          reservation = unclaimed(counters, stripes) > 0 ? UNDECIDED : NONE;
        }
      }
    }
    if (reservation == NONE) {
      // release: pairs with the load above; passes on the visible claims
      counters.storeRelease(USED_UP, 1);
    }
    return reservation;
  }

  /**
   * Takes from a stripe that had some, by a subtraction, because many threads may come at once. A
   * thread that took too much puts it back; reservations that others miss meanwhile are not claimed
   * either.
   */
  private static int takeFrom(DeviceLongs counters, long stripe) {
    // relaxed: as the load
    boolean taken = counters.fetchSubRelaxed(stripe + CAPACITY, 1) > 0;
    if (!taken) {
      long _ = counters.fetchAddRelaxed(stripe + CAPACITY, 1);
    }
    return taken ? TAKEN : ASKING;
  }

  private static long next(long stripe, int stripes) {
    long next = stripe + MapCodes.STRIPE_LONGS;
    return next == (long) stripes * MapCodes.STRIPE_LONGS ? 0 : next;
  }

  /** Returns the sum over stripes. Each only decreases, so that the sum is 0 only if it stays 0. */
  private static long unclaimed(DeviceLongs counters, int stripes) {
    long sum = 0;
    for (int i = 0; i < stripes; i++) {
      // acquire: pairs with endReservation; the counted claims are visible
      sum += counters.loadAcquire((long) i * MapCodes.STRIPE_LONGS + UNCLAIMED);
    }
    return sum;
  }

  /** Notes whether a reservation was used for a claim. A device function. */
  static void endReservation(DeviceLongs counters, long at, boolean claimed) {
    if (claimed) {
      // release: pairs with take; publishes the claim to threads that find no reservation
      long _ = counters.fetchSubRelease(at + UNCLAIMED, 1);
    }
    if (!claimed) {
      // relaxed: as in take
      long _ = counters.fetchAddRelaxed(at + CAPACITY, 1);
    }
  }
}
