package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Moves the entries of a range of slots to an empty table of another size, which has room for all;
 * counts them in INSERTED, and slots left RESERVED in STUCK. Nobody may do anything else with
 * either table.
 *
 * <p>Keys differ, so a slot that is not EMPTY is another key's, whether or not it is published yet:
 * nobody waits. Entries that are near each other in one table are so in the other, too, if both
 * have one seed: slots are reached through the cache.
 *
 * @param from the first slot to be moved; a side slot is behind all others
 * @param to the one after the last
 */
public record MoveNumbers(Slots old, Slots fresh, DeviceLongs counters, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots old = this.old.copy();
    Slots fresh = this.fresh.copy();
    long slots = fresh.slots();
    int inserted = 0;
    int stuck = 0;
    for (long at = from + thread; at < to; at += shape.threads()) {
      long seen = old.quiet(at);
      long beside = old.quietBeside(at);
      int state = old.state(seen, beside);
      if (state == FILLED) {
        long key = old.key(at, seen);
        Numbers value = new OneValue(old.value(at, seen, beside, 0));
        long hash = fresh.hash(key);
        long desired = fresh.desired(key, fresh.claimed(value, 0));
        long slot = fresh.home(key, hash);
        long there = fresh.claim(slot, desired);
        while (there != EMPTY) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          there = fresh.load(slot);
          if (there == EMPTY) {
            there = fresh.claim(slot, desired);
          }
        }
        fresh.fill(slot, key, hash, value, 0, 0);
        inserted++;
      }
      stuck += state == RESERVED ? 1 : 0;
    }
    Counting.add(counters, thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(counters, thread, STUCK, stuck, MapCodes.STRIPED);
  }
}
