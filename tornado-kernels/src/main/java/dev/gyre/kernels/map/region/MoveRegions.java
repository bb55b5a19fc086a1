package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.CROWDED;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Moves all entries of a table to an empty one of another size and the same hashes, as {@link
 * dev.gyre.kernels.map.MoveNumbers} does, by regions: a region of the one has the hashes that one
 * of the other has, so that a block finds the entries of its {@link BlockRegion} side by side.
 * Those that found no slot in their region are in the slots behind it, up to one that is EMPTY.
 *
 * <p>Counts them in INSERTED, those that were spilled in SPILLED, and slots left RESERVED in STUCK;
 * sets CROWDED where a block would have to go far for the EMPTY slot: then entries are lacking.
 *
 * @param places of the old table: its slots, and a side slot where there is one
 * @param bits of the hash by which regions are told apart
 * @param farthest how many slots behind its region a block looks at
 * @param ends two ints that a block shares: whether one of its threads saw an EMPTY slot, in turns
 */
public record MoveRegions(
    NumberTable old, long places, BlockRegion built, int bits, int farthest, SharedInts ends)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable old = this.old.copy();
    NumberTable table = built.layout().table();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int inserted = 0;
    int stuck = 0;
    for (int region = thread / blockSize; region < 1 << bits; region += shape.blocks()) {
      long first = Level.firstSlot(table, region, bits);
      int size = (int) (Level.firstSlot(table, region + 1, bits) - first);
      if (own < 2) {
        ends.set(own, 0);
      }
      built.read(own, blockSize, first, size, true);
      boolean isLast = region + 1 == 1 << bits;
      long end = Level.firstSlot(old, region + 1, bits);
      long to = isLast ? places : end;
      // Several at a time, since memory is slow to answer.
      for (long at = Level.firstSlot(old, region, bits) + own; at < to; at += 4L * blockSize) {
        long at1 = at + blockSize < to ? at + blockSize : at;
        long at2 = at + 2L * blockSize < to ? at + 2L * blockSize : at;
        long at3 = at + 3L * blockSize < to ? at + 3L * blockSize : at;
        long seen = old.quiet(at);
        long seen1 = old.quiet(at1);
        long seen2 = old.quiet(at2);
        long seen3 = old.quiet(at3);
        long beside = old.quietBeside(at);
        long beside1 = old.quietBeside(at1);
        long beside2 = old.quietBeside(at2);
        long beside3 = old.quietBeside(at3);
        long key = old.key(at, seen);
        long key1 = old.key(at1, seen1);
        long key2 = old.key(at2, seen2);
        long key3 = old.key(at3, seen3);
        long value = old.value(at, seen, beside, 0);
        long value1 = old.value(at1, seen1, beside1, 0);
        long value2 = old.value(at2, seen2, beside2, 0);
        long value3 = old.value(at3, seen3, beside3, 0);
        int state = old.state(seen, beside);
        int state1 = at1 > at ? old.state(seen1, beside1) : EMPTY;
        int state2 = at2 > at ? old.state(seen2, beside2) : EMPTY;
        int state3 = at3 > at ? old.state(seen3, beside3) : EMPTY;
        inserted += move(state, at, key, value, region, first, size);
        inserted += move(state1, at1, key1, value1, region, first, size);
        inserted += move(state2, at2, key2, value2, region, first, size);
        inserted += move(state3, at3, key3, value3, region, first, size);
        stuck += state == RESERVED ? 1 : 0;
        stuck += state1 == RESERVED ? 1 : 0;
        stuck += state2 == RESERVED ? 1 : 0;
        stuck += state3 == RESERVED ? 1 : 0;
      }
      boolean goesOn = true;
      int far = own;
      int turn = 0;
      while (goesOn) {
        long at = (end + far) % old.slots();
        long seen = old.quiet(at);
        long beside = old.quietBeside(at);
        int state = old.state(seen, beside);
        if (state == EMPTY) {
          // relaxed: a barrier comes before it is read
          ends.storeRelaxed(turn, 1);
        }
        long key = old.key(at, seen);
        long value = old.value(at, seen, beside, 0);
        inserted += move(state, at, key, value, region, first, size);
        Block.barrier();
        far += blockSize;
        goesOn = ends.get(turn) == 0 && far - own < farthest;
        turn = 1 - turn;
      }
      if (own == 0 && ends.get(1 - turn) == 0) {
        // relaxed: the end of the launch publishes it
        built.counters().storeRelaxed(CROWDED, 1);
      }
      built.write(own, blockSize, first, size);
    }
    Counting.add(built.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(built.counters(), thread, STUCK, stuck, MapCodes.STRIPED);
  }

  /** Inserts what is in a slot if it is of the region, or has none; returns how many were. */
  private int move(int state, long at, long key, long value, int region, long first, int size) {
    NumberTable table = built.layout().table();
    int other = at < old.slots() ? table.part(table.hash(key), bits) ^ region : 0;
    int inserted = 0;
    // One comparison, since what hangs on two may come out wrong on devices.
    if ((other | (state ^ FILLED)) == 0) {
      int home = built.home(key, first, size);
      inserted = built.insert(key, value, home, size, new Change.None()) == INSERTED ? 1 : 0;
    }
    return inserted;
  }
}
