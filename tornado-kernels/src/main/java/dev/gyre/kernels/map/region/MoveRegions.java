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
      for (long at = Level.firstSlot(old, region, bits) + own; at < to; at += blockSize) {
        long seen = old.quiet(at);
        long beside = old.quietBeside(at);
        inserted += move(old, at, seen, beside, region, first, size);
        stuck += old.state(seen, beside) == RESERVED ? 1 : 0;
      }
      boolean goesOn = true;
      int far = own;
      int turn = 0;
      while (goesOn) {
        long at = (end + far) % old.slots();
        long seen = old.quiet(at);
        long beside = old.quietBeside(at);
        if (old.state(seen, beside) == EMPTY) {
          // relaxed: a barrier comes before it is read
          ends.storeRelaxed(turn, 1);
        }
        inserted += move(old, at, seen, beside, region, first, size);
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
  private int move(
      NumberTable old, long at, long seen, long beside, int region, long first, int size) {
    NumberTable table = built.layout().table();
    long key = old.key(at, seen);
    int other = at < old.slots() ? table.part(table.hash(key), bits) ^ region : 0;
    int inserted = 0;
    // One comparison, since what hangs on two may come out wrong on devices.
    if ((other | (old.state(seen, beside) ^ FILLED)) == 0) {
      long value = old.value(at, seen, beside, 0);
      int home = built.home(key, first, size);
      inserted = built.insert(key, value, home, size, new Change.None()) == INSERTED ? 1 : 0;
    }
    return inserted;
  }
}
