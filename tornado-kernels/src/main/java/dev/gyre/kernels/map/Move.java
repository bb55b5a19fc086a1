package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Moves the entries of a range of slots to an empty table of another size, which has capacity for
 * all.
 *
 * <p>No other thread may use either table. A RESERVED slot will therefore never be published, and
 * contains no entry. Keys differ, so that a slot that is not EMPTY belongs to another key,
 * published or not, and no thread waits. If both tables have one seed, neighbouring entries stay
 * neighbours, and slots are accessed through the cache.
 *
 * @param fresh the other table, whose batch is the old table
 * @param counters counters, in which STUCK counts the entries without a slot in the other table
 * @param from index of the first slot to move; a side slot is after all others
 * @param to index after the last slot
 * @since 0.1.0
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
    long text = fresh.takeFor(old, from + thread, to, threads);
    for (long at = from + thread; at < to; at += threads) {
      long seen = old.quiet(at);
      if (old.stateOf(seen) == FILLED) {
        long key = old.key(at, seen);
        Numbers value = new OneValue(old.value(at, seen, MapCodes.QUIESCENT));
        long hash = fresh.hash(key);
        long claimWord = fresh.claimWord(key, fresh.claimed(value, 0));
        long slot = fresh.home(key, hash);
        long there = fresh.claim(slot, claimWord);
        // One comparison, because device compilers may mistranslate two.
        long left = there == EMPTY ? 0 : 2 * slots;
        while (left > 0) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          there = fresh.load(slot);
          if (there == EMPTY) {
            there = fresh.claim(slot, claimWord);
          }
          left = there == EMPTY ? 0 : left - 1;
        }
        if (there == EMPTY) {
          fresh.fill(slot, key, hash, value, 0, text);
        }
        text += fresh.text(key);
        stuck += there == EMPTY ? 0 : 1;
      }
    }
    if (stuck > 0) {
      // relaxed: a count, which orders nothing
      long _ = counters.fetchAddRelaxed(MapCodes.STUCK, stuck);
    }
  }
}
