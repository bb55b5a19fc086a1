package dev.gyre.structures.map.work;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Capacity of a table that threads have reserved for single keys to come, each in the stripe of the
 * {@link OperationLock} by which it enters, and how many keys it inserted there. So most keys are
 * inserted without a change of a counter that threads share.
 *
 * <p>The thread that has a stripe changes both numbers by one store. The capacity that is reserved
 * comes and goes; the number of keys only grows, but for a key that turns out to be present, and
 * goes on growing if another table replaces the one of these keys. An operation that is inside by
 * no stripe of its own (its entry is null, or is no {@linkplain Entry#isStripe stripe}) finds
 * nothing reserved.
 *
 * <table>
 *   <caption>Accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load by the thread that has the stripe</td><td>plain, behind the claim</td>
 *       <td>the store by which the thread before it left</td><td>-</td></tr>
 *   <tr><td>store by the thread that has the stripe</td><td>release</td><td>{@link #used}</td>
 *       <td>a thread that has seen a key could miss it: it is published later</td></tr>
 * </table>
 */
public class Reservations {

  /** Most keys for which capacity is reserved at a time. */
  private static final int MAX_KEYS = 64;

  /** Low bits of what a stripe holds, for the capacity that is reserved; the others count keys. */
  private static final int AHEAD_BITS = 16;

  private static final long AHEAD = (1 << AHEAD_BITS) - 1;

  /** As many threads as may have reserved something, about. */
  private static final long THREADS = 4L * Runtime.getRuntime().availableProcessors();

  private final OperationLock lock;

  public Reservations(OperationLock lock) {
    this.lock = lock;
  }

  /**
   * For how many keys capacity is reserved at a time: the fewer the less there is, so that what all
   * threads have reserved is a small part of what is left.
   */
  public static long most(long free) {
    return Math.clamp(free / (4 * Long.highestOneBit(THREADS)), 1, MAX_KEYS);
  }

  /** Uses what is reserved; returns for how many keys. */
  public long take(@Nullable Entry entry, long keys) {
    if (entry == null || !entry.isStripe()) {
      return 0;
    }
    long taken = Math.min(entry.reservedPlain() & AHEAD, keys);
    if (taken > 0) {
      boolean _ = add(entry, taken, -taken);
    }
    return taken;
  }

  /** Whether an operation can reserve capacity for so many keys where it is inside. */
  public static boolean canReserve(@Nullable Entry entry, long keys) {
    return entry != null && entry.isStripe() && (entry.reservedPlain() & AHEAD) + keys <= MAX_KEYS;
  }

  /**
   * Counts keys in the stripe that the caller has, and reserves capacity there; both may be
   * negative. Returns false, having done nothing, if it has no stripe.
   */
  public boolean add(@Nullable Entry entry, long used, long ahead) {
    if (entry == null || !entry.isStripe()) {
      return false;
    }
    // release: before the keys are published
    entry.reserveRelease(entry.reservedPlain() + (used << AHEAD_BITS) + ahead);
    return true;
  }

  /** How much is reserved. */
  public long ahead() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      sum += entry.reservedVolatile() & AHEAD;
    }
    return sum;
  }

  /** How many keys threads have inserted by stripes, one at a time. */
  public long used() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      // volatile: of keys that were seen before, none is missed
      sum += entry.reservedVolatile() >>> AHEAD_BITS;
    }
    return sum;
  }

  /**
   * Takes what is reserved in stripes that no thread has. The caller is inside, so that any thread
   * that waits for it to leave its stripe waits for it in any case.
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
   * Takes all that is reserved. The caller is alone, so a thread that has a stripe waits for the
   * caller to leave, and changes nothing there until then.
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
