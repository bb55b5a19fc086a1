package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Ref;

/**
 * A table as a kernel sees it that works on one key at a time, by any number of threads: what the
 * refs of maps and sets have in them. Each operation is a device function.
 *
 * <p>Operations run side by side and are atomic each; the orders are those of the table's {@link
 * Slots}. A thread that finds a key finds the value that it was inserted with, or a later one. Keys
 * that are inserted take room from counters, which who launches has filled with as much as the
 * table has, see {@link #fill}: so the table has as many keys as it has capacity for at most.
 *
 * @param table the table
 * @param counters in stripes of {@link MapCodes#STRIPE_LONGS}: room, and how many keys were FULL,
 *     STUCK, or without room for their text, PENDING
 * @param stripes number of stripes that are in use, a power of two
 * @param pollLimit polls after which a wait for another thread gives up, and the key is STUCK
 */
public record TableRef(Slots table, DeviceLongs counters, int stripes, long pollLimit, long lease)
    implements Ref {

  /** A ref on a table for one launch, whose counters are to be {@linkplain #fill filled}. */
  public static TableRef of(
      Slots table, DeviceLongs counters, long room, long pollLimit, long lease) {
    return new TableRef(table, counters, Room.stripes(room), pollLimit, lease);
  }

  /** The same for keys whose text is in these words. */
  public TableRef reading(DeviceLongs words) {
    return with(table.reading(words));
  }

  /** The same of another view of the table. */
  public TableRef with(Slots other) {
    return new TableRef(other, counters, stripes, pollLimit, lease);
  }

  /** Gives the counters room for so many keys, and nothing else; for the host. */
  public void fill(long room) {
    for (int i = 0; i < MapCodes.STRIPED_COUNTERS; i++) {
      counters.set(i, 0);
    }
    Room.fill(counters, room, stripes);
  }

  /** The sum of a counter over the stripes, where no kernel runs; for the host. */
  public long sum(int counter) {
    long sum = 0;
    for (int i = 0; i < stripes; i++) {
      sum += counters.get((long) i * MapCodes.STRIPE_LONGS + counter);
    }
    return sum;
  }

  /**
   * Inserts a key with its value; a key that is present gets what a policy makes of both.
   *
   * @param policy {@link MapCodes#KEEP}, {@link MapCodes#ASSIGN}, {@link MapCodes#ADD}, {@link
   *     MapCodes#MIN}, {@link MapCodes#MAX}, {@link MapCodes#AND}, {@link MapCodes#OR}, {@link
   *     MapCodes#XOR}
   * @return INSERTED; PRESENT; FULL, or STUCK where a wait gave up: nothing was done then
   */
  public int insert(long key, long value, int policy) {
    Slots own = table.copy();
    Numbers one = new OneValue(value);
    Probe.End end =
        Probe.insert(own, key, one, 0, MapCodes.SEARCHING, counters, stripes, pollLimit);
    int outcome = end.outcome();
    if (outcome == PRESENT && policy != KEEP) {
      own.update(end.slot(), key, one, 0, policy);
    }
    note(own, key, outcome);
    return outcome == PENDING ? FULL : outcome;
  }

  /** {@link #insert(long, long, int)} with any change of a key that is present. */
  public int insert(long key, long value, Change change) {
    Slots own = table.copy();
    Numbers one = new OneValue(value);
    Probe.End end =
        Probe.insert(own, key, one, 0, MapCodes.SEARCHING, counters, stripes, pollLimit);
    int outcome = end.outcome();
    if (outcome == PRESENT) {
      change.change(own, end.slot(), key, one, 0);
    }
    note(own, key, outcome);
    return outcome == PENDING ? FULL : outcome;
  }

  /** Whether a key is there: FOUND, ABSENT, or STUCK where a wait gave up. */
  public int contains(long key) {
    return find(key).outcome();
  }

  /** Looks for a key; the value is 0 where it was not found. */
  public Found find(long key) {
    Slots own = table.copy();
    Probe.End end = Probe.find(own, key, pollLimit);
    int outcome = end.outcome();
    long value = 0;
    if (outcome == FOUND) {
      value = own.value(end.slot(), end.seen(), 0);
    }
    note(own, key, outcome);
    return new Found(outcome, value);
  }

  /**
   * What became of a key that was looked for.
   *
   * @param outcome FOUND, ABSENT or STUCK
   * @param value the value; 0 unless it is FOUND
   */
  public record Found(int outcome, long value) {
    /** Whether the key is there. */
    public boolean isFound() {
      return outcome == FOUND;
    }
  }

  /** Counts what was not done. */
  private void note(Slots own, long key, int outcome) {
    // STUCK and PENDING are the last ones.
    int undone = outcome == FULL ? 1 : outcome >= STUCK ? 1 : 0;
    if (undone != 0) {
      // relaxed: a count, which orders nothing
      long _ = counters.fetchAddRelaxed(Room.stripe(own.hash(key), stripes) + outcome, 1);
    }
  }
}
