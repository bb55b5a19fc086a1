package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Numbers;

/**
 * Inserts one by one what {@link BuildRegions} and {@link PlaceRegions} have spilled, as many as
 * they say; and makes all numbers of the levels 0, for the next insert. It is as {@link
 * dev.gyre.kernels.map.Insert}, but begins behind the region of a key, whose slots from the home on
 * hold other keys, and asks for several slots before it looks at the first, since memory is slow to
 * answer and ways are long.
 *
 * @param table whose layout has words that say by themselves what is there
 * @param level of the regions
 * @param numbers of the levels, in longs
 * @param length how many longs
 */
public record InsertSpilled(
    NumberTable table,
    Pairs.OfInts spilled,
    Level level,
    Change change,
    long pollLimit,
    ThreadLongs numbers,
    long length)
    implements Kernel {

  /** Slots that are asked for at a time. */
  private static final int AHEAD = 4;

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable table = this.table.copy();
    Numbers values = new Pairs.Values(spilled);
    long count = level.counters().get(MapCodes.SPILLED);
    int inserted = 0;
    int present = 0;
    int full = 0;
    int stuck = 0;
    for (long i = thread; i < count; i += shape.threads()) {
      int outcome = insert(table, spilled.key(i), values, i);
      inserted += outcome == INSERTED ? 1 : 0;
      present += outcome == PRESENT ? 1 : 0;
      full += outcome == FULL ? 1 : 0;
      stuck += outcome == STUCK ? 1 : 0;
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, FULL, full, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, STUCK, stuck, MapCodes.STRIPED);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }

  private int insert(NumberTable table, long key, Numbers values, long i) {
    long slots = table.slots();
    long hash = table.hash(key);
    long desired = table.desired(key, table.claimed(values, i));
    long slot = begin(table, key, hash);
    // More than all of them have been seen then.
    long most = slots + AHEAD;
    int outcome = SEARCHING;
    for (long tried = 0; outcome == SEARCHING; ) {
      long slot1 = after(slot, 1, slots);
      long slot2 = after(slot, 2, slots);
      long slot3 = after(slot, 3, slots);
      long seen0 = table.load(slot);
      long seen1 = table.load(slot1);
      long seen2 = table.load(slot2);
      long seen3 = table.load(slot3);
      int free = AHEAD;
      free = table.same(slot3, seen3, key, hash, desired) ? 3 : free;
      free = seen3 == EMPTY ? 3 : free;
      free = table.same(slot2, seen2, key, hash, desired) ? 2 : free;
      free = seen2 == EMPTY ? 2 : free;
      free = table.same(slot1, seen1, key, hash, desired) ? 1 : free;
      free = seen1 == EMPTY ? 1 : free;
      free = table.same(slot, seen0, key, hash, desired) ? 0 : free;
      free = seen0 == EMPTY ? 0 : free;
      slot = after(slot, free, slots);
      tried += free;
      if (free < AHEAD) {
        long seen = table.claim(slot, desired);
        if (seen == EMPTY) {
          table.fill(slot, key, hash, values, i, 0);
        }
        int met = table.same(slot, seen, key, hash, desired) ? PRESENT : SEARCHING;
        outcome = seen == EMPTY ? INSERTED : met;
      } else {
        outcome = tried > most ? FULL : SEARCHING;
      }
    }
    if (outcome == PRESENT) {
      outcome = change.change(table, slot, key, values, i, pollLimit);
    }
    return outcome;
  }

  /** Behind the region of a key, but for the one that has a slot, or a form, of its own. */
  private long begin(NumberTable table, long key, long hash) {
    long behind = level.firstSlot(table, level.region(table, hash) + 1);
    long begin = behind == table.slots() ? 0 : behind;
    return key == Integer.MIN_VALUE ? table.home(key, hash) : begin;
  }

  /** A home behind all slots has no other one after it. */
  private static long after(long slot, int far, long slots) {
    long at = slot + far;
    at = at >= slots ? at - slots : at;
    return slot >= slots ? slot : at;
  }
}
