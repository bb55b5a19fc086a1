package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Moves the entries of a range of slots to an empty table of another size, which has room for all.
 * Nobody may do anything else with either table, so a slot that is RESERVED is one that whoever
 * claimed it will not publish any more: there is no entry in it.
 *
 * <p>Keys differ, so a slot that is not EMPTY is another key's, whether or not it is published yet:
 * nobody waits. Entries that are near each other in one table are so in the other, too, if both
 * have one seed: slots are reached through the cache.
 *
 * @param fresh the other table, for which what the old one has as keys and values are those of a
 *     batch
 * @param counters in which STUCK counts the entries for which the other table has no slot
 * @param from the first slot to be moved; a side slot is behind all others
 * @param to the one after the last
 */
public record Move(Slots old, Slots fresh, DeviceLongs counters, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots old = this.old.copy();
    Slots fresh = this.fresh.copy();
    long to = this.to;
    long slots = fresh.slots();
    int threads = shape.threads();
    int stuck = 0;
    for (long at = from + thread; at < to; at += threads) {
      long seen = old.quiet(at);
      if (old.stateOf(seen) == FILLED) {
        long key = old.key(at, seen);
        Numbers value = new OneValue(old.value(at, seen, MapCodes.QUIESCENT));
        long hash = fresh.hash(key);
        long desired = fresh.desired(key, fresh.claimed(value, 0));
        long slot = fresh.home(key, hash);
        long there = fresh.claim(slot, desired);
        // One comparison: a condition of two parts may come out wrong on devices.
        long left = there == EMPTY ? 0 : 2 * slots;
        while (left > 0) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          there = fresh.load(slot);
          if (there == EMPTY) {
            there = fresh.claim(slot, desired);
          }
          left = there == EMPTY ? 0 : left - 1;
        }
        if (there == EMPTY) {
          fresh.fill(slot, key, hash, value, 0, 0);
        }
        stuck += there == EMPTY ? 0 : 1;
      }
    }
    if (stuck > 0) {
      // relaxed: a count, which orders nothing
      long _ = counters.fetchAddRelaxed(MapCodes.STUCK, stuck);
    }
  }
}
