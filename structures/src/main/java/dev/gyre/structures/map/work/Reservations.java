package dev.gyre.structures.map.work;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Capacity of a table that threads have reserved for single keys to come, each in the stripe of the
 * {@link OperationLock} by which it enters. So most keys are inserted without a change of a counter
 * that threads share.
 *
 * <p>The thread that has a stripe changes what is reserved there, by stores. An operation that is
 * inside by no stripe of its own (its entry is null, or is no {@linkplain Entry#isStripe stripe})
 * finds nothing reserved.
 *
 * <table>
 *   <caption>Accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load by the thread that has the stripe</td><td>plain, behind the claim</td>
 *       <td>the store by which the thread before it left</td><td>-</td></tr>
 *   <tr><td>store by the thread that has the stripe</td><td>release</td><td>{@link #ahead}</td>
 *       <td>a thread that has seen a key could count it as reserved: it is published later</td></tr>
 * </table>
 */
public class Reservations {

  /** In place of what is reserved: that something will be. */
  public static final long EXPECTED = -1;

  /** Most keys for which capacity is reserved at a time. */
  private static final int MAX_KEYS = 64;

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

  /** Takes what is reserved; returns for how many keys, which is not above 0 if nothing is. */
  public long take(@Nullable Entry entry, long keys) {
    if (entry == null || !entry.isStripe()) {
      return 0;
    }
    long there = entry.reservedPlain();
    long taken = Math.min(there, keys);
    if (taken > 0) {
      // release: before the keys are published
      entry.reserveRelease(there - taken);
    }
    return taken;
  }

  /** Gives back what was taken. */
  public void give(Entry entry, long keys) {
    put(entry, Math.max(entry.reservedPlain(), 0) + keys);
  }

  /** Says that capacity is about to be reserved in a stripe that has none. */
  public void expect(Entry entry) {
    put(entry, EXPECTED);
  }

  /** Reserves capacity that was taken from the table meanwhile. */
  public void put(Entry entry, long keys) {
    // release: behind what was written before, as to say that something is expected
    entry.reserveRelease(keys);
  }

  /** How much is reserved, stripe by stripe; EXPECTED where something is about to be. */
  public long ahead() {
    long sum = 0;
    for (Entry entry : lock.stripes()) {
      // volatile: of keys that were seen before, none is missed
      long keys = entry.reservedVolatile();
      if (keys == EXPECTED) {
        return EXPECTED;
      }
      sum += keys;
    }
    return sum;
  }

  /**
   * Takes what is reserved in stripes that no thread has. The caller is inside, so that any thread
   * that waits for it to leave its stripe waits for it in any case. What was expected there will
   * not come any more: the thread that expected it has left by an error.
   */
  public long fetch() {
    long fetched = 0;
    for (Entry entry : lock.stripes()) {
      if (entry.reservedVolatile() != 0 && entry.tryBusy()) {
        try {
          fetched += Math.max(entry.reservedPlain(), 0);
          // release: as in take
          entry.reserveRelease(0);
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
      fetched += Math.max(entry.reservedVolatile(), 0);
      entry.reserveRelease(0);
    }
    return fetched;
  }
}
