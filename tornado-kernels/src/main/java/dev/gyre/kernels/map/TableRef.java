package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Ref;

/**
 * Gives the threads of a kernel access to a table, one key at a time. The refs of maps and sets
 * contain it.
 *
 * <p>Each operation is a device function, atomic and concurrent with others, with the memory orders
 * of the table's {@link Slots}. A thread that finds a key finds the value that it was inserted
 * with, or a later one. Inserted keys take reservations from counters, which the launching
 * structure {@linkplain #fill fills} with the free capacity, so that the table never exceeds its
 * capacity.
 *
 * @param table the table
 * @param counters stripes of {@link MapCodes#STRIPE_LONGS} longs: reservations, and the numbers of
 *     keys that were FULL, STUCK, or PENDING because their text did not fit
 * @param stripes number of stripes in use, a power of two
 * @param pollLimit polls after which a wait for another thread gives up, and the key is STUCK
 * @since 0.1.0
 */
public record TableRef(Slots table, DeviceLongs counters, int stripes, long pollLimit, long lease)
    implements Ref {

  /** Returns a ref to a table for one launch; {@linkplain #fill fill} its counters. */
  public static TableRef of(
      Slots table, DeviceLongs counters, long capacity, long pollLimit, long lease) {
    return new TableRef(table, counters, CapacityCounters.stripes(capacity), pollLimit, lease);
  }

  /** Returns this ref for keys whose text is in other words. */
  public TableRef reading(DeviceLongs words) {
    return with(table.reading(words));
  }

  /** Returns this ref with another view of the table. */
  public TableRef with(Slots other) {
    return new TableRef(other, counters, stripes, pollLimit, lease);
  }

  /** Sets the reservations to a number of keys, and all other counters to 0. For the host. */
  public void fill(long capacity) {
    for (int i = 0; i < MapCodes.STRIPED_COUNTERS; i++) {
      counters.set(i, 0);
    }
    CapacityCounters.fill(counters, capacity, stripes);
  }

  /** Returns the sum of a counter over the stripes, when no kernel runs. For the host. */
  public long sum(int counter) {
    long sum = 0;
    for (int i = 0; i < stripes; i++) {
      sum += counters.get((long) i * MapCodes.STRIPE_LONGS + counter);
    }
    return sum;
  }

  /**
   * Inserts a key with its value. If the key is present, the policy combines both values.
   *
   * @param policy {@link MapCodes#KEEP}, {@link MapCodes#ASSIGN}, {@link MapCodes#ADD}, {@link
   *     MapCodes#MIN}, {@link MapCodes#MAX}, {@link MapCodes#AND}, {@link MapCodes#OR}, {@link
   *     MapCodes#XOR}
   * @return INSERTED or PRESENT; FULL, or STUCK if a wait gave up, and nothing was done
   */
  public int insert(long key, long value, int policy) {
    return insert(key, value, new Change.Policy(policy));
  }

  /** Inserts a key as {@link #insert(long, long, int)} does, with any change of a present value. */
  public int insert(long key, long value, Change change) {
    Slots own = table.copy();
    Numbers one = new OneValue(value);
    Probe.End end =
        Probe.insert(own, key, one, 0, MapCodes.SEARCHING, counters, stripes, change, pollLimit);
    int outcome = end.outcome();
    if (outcome == PRESENT && !own.isRemovable()) {
      change.change(own, end.slot(), key, one, 0);
    }
    note(own, key, outcome);
    return outcome == PENDING ? FULL : outcome;
  }

  /** Looks up a key; returns FOUND, ABSENT, or STUCK if a wait gave up. */
  public int contains(long key) {
    return find(key).outcome();
  }

  /** Looks up a key; the value is 0 if it was not found. */
  public Found find(long key) {
    return find(key, 0);
  }

  /**
   * Removes a key; returns FOUND with its last value, ABSENT, or STUCK if a wait gave up.
   *
   * @throws UnsupportedOperationException if keys cannot be removed; such a kernel is not compiled
   *     for a device
   */
  public Found remove(long key) {
    if (!table.isRemovable()) {
      throw new UnsupportedOperationException(Slots.NOT_REMOVABLE);
    }
    Found removed = find(key, MapCodes.REMOVES);
    if (removed.isFound()) {
      // relaxed: a count, which orders nothing
      long _ = counters.fetchAddRelaxed(stripeOf(table, key) + FOUND, 1);
    }
    return removed;
  }

  private long stripeOf(Slots own, long key) {
    return CapacityCounters.stripe(own.hash(key), stripes);
  }

  private Found find(long key, int options) {
    Slots own = table.copy();
    Probe.End end = Probe.find(own, key, MapCodes.SEARCHING, options, pollLimit);
    int outcome = end.outcome();
    long value = 0;
    if (outcome == FOUND) {
      value = own.value(end.slot(), end.seen(), 0);
    }
    note(own, key, outcome);
    return new Found(outcome, value);
  }

  /**
   * Result of a lookup.
   *
   * @param outcome FOUND, ABSENT or STUCK
   * @param value the value; 0 unless FOUND
   */
  public record Found(int outcome, long value) {
    /** Returns whether the key was found. */
    public boolean isFound() {
      return outcome == FOUND;
    }
  }

  /** Counts a key that was not inserted. */
  private void note(Slots own, long key, int outcome) {
    // STUCK and PENDING are the last codes.
    int undone = outcome == FULL ? 1 : outcome >= STUCK ? 1 : 0;
    if (undone != 0) {
      // relaxed: a count, which orders nothing
      long _ = counters.fetchAddRelaxed(stripeOf(own, key) + outcome, 1);
    }
  }
}
