package dev.gyre.structures.map.work;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Capacity that threads have reserved for single keys, and the number of keys they inserted, each
 * in the stripe of the {@link OperationLock} by which it enters. So most keys are inserted without
 * a change of a shared counter.
 *
 * <h2>Protocol</h2>
 *
 * The owner of a stripe changes both numbers by one store. The reserved capacity rises and falls.
 * The number of keys only grows; it goes on if another table replaces the table of these keys. The
 * owner counts removed keys in the same way, in a number of their own. An operation without a
 * stripe (its entry is null, or is not a {@linkplain Entry#isStripe stripe}) has no reservation.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load by the owner of the stripe</td><td>plain, after the claim</td>
 *       <td>the store by which the previous owner left</td><td>-</td></tr>
 *   <tr><td>store by the owner of the stripe</td><td>release</td><td>{@link #used}</td>
 *       <td>a thread that counts a key could miss the key</td></tr>
 * </table>
 */
public class Reservations {

  /** Largest number of keys that stay reserved. */
  public static final int MAX_KEYS = 64;

  /** Number of low bits of a stripe with the reserved capacity; the other bits count keys. */
  private static final int AHEAD_BITS = 16;

  private static final long AHEAD = (1 << AHEAD_BITS) - 1;

  /** Approximate largest number of threads with a reservation. */
  private static final long THREADS = 4L * Runtime.getRuntime().availableProcessors();

  private final OperationLock lock;

  public Reservations(OperationLock lock) {
    this.lock = lock;
  }

  /**
   * Returns the number of keys of a reservation: smaller if less capacity is free, so that all
   * reservations are a small part of it.
   */
  public static long most(long free) {
    return Math.clamp(free / (4 * Long.highestOneBit(THREADS)), 1, MAX_KEYS);
  }

  /** Returns the capacity that is reserved in the stripe of the caller. */
  public static long ahead(@Nullable Entry entry) {
    return entry != null && entry.isStripe() ? entry.reservedPlain() & AHEAD : 0;
  }

  /**
   * Counts keys in the stripe of the caller, and reserves capacity there; both may be negative.
   * Returns false, without an effect, if it has no stripe.
   */
  public boolean add(@Nullable Entry entry, long used, long ahead) {
    if (entry == null || !entry.isStripe()) {
      return false;
    }
    // release: after the keys are published
    entry.reserveRelease(entry.reservedPlain() + (used << AHEAD_BITS) + ahead);
    return true;
  }

  /** Returns the sum of all reservations. */
  public long ahead() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      sum += entry.reservedVolatile() & AHEAD;
    }
    return sum;
  }

  /** Returns the number of keys that threads have inserted one at a time in stripes. */
  public long used() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      // volatile: no key that was seen before is missed
      sum += entry.reservedVolatile() >>> AHEAD_BITS;
    }
    return sum;
  }

  /** Returns the number of keys that threads have removed one at a time in stripes. */
  public long removed() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      sum += entry.removedVolatile();
    }
    return sum;
  }

  /** Returns about how many threads have inserted keys one at a time: at most one per processor. */
  public int threads() {
    int threads = 0;
    for (Entry entry : lock.stripes()) {
      threads += entry.reservedVolatile() >>> AHEAD_BITS == 0 ? 0 : 1;
    }
    return Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Takes the reservations of stripes without an owner. The caller is inside, so that a thread that
   * waits for it to leave its stripe waits in any case.
   */
  public long fetch() {
    long fetched = 0;
    for (Entry entry : lock.stripes()) {
      if ((entry.reservedVolatile() & AHEAD) != 0 && entry.tryBusy()) {
        try {
          fetched += fetch(entry);
        } finally {
          entry.holder = OperationLock.LEFT;
        }
      }
    }
    return fetched;
  }

  /**
   * Takes all reservations, with exclusive access: the owner of a stripe waits for the caller to
   * leave, and changes nothing until then.
   */
  public long fetchAlone() {
    long fetched = 0;
    for (Entry entry : lock.stripes()) {
      fetched += fetch(entry);
    }
    return fetched;
  }

  private static long fetch(Entry entry) {
    long all = entry.reservedVolatile();
    // release: as in add
    entry.reserveRelease(all & ~AHEAD);
    return all & AHEAD;
  }
}
