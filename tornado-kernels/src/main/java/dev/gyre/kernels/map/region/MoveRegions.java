package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.CROWDED;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Moves all entries of a table to an empty one of another size and the same hashes, as {@link
 * dev.gyre.kernels.map.Move} does, by regions: a region of the one has the hashes that one of the
 * other has, so that a block finds the entries of its {@link BlockRegion} side by side. Those that
 * found no slot in their region are in the slots behind it, up to one that is EMPTY.
 *
 * <p>A block looks at some slots, puts their entries into a queue, and then each thread inserts
 * one: else those that found an EMPTY slot would wait for the others.
 *
 * <p>Counts them in INSERTED, and those that were spilled in SPILLED; sets CROWDED where a block
 * would have to go far for the EMPTY slot: then entries are lacking.
 *
 * @param places of the old table: its slots, and a side slot where there is one
 * @param bits of the hash by which regions are told apart
 * @param farthest how many slots behind its region a block looks at
 * @param queue entries of {@link #AT_ONCE} slots for each thread, which a block shares
 * @param shared ints that a block shares: {@link #SHARED_INTS}
 */
public record MoveRegions(
    NumberTable old,
    long places,
    BlockRegion built,
    int bits,
    int farthest,
    SharedLongs queue,
    SharedInts shared)
    implements Kernel {

  /** Slots that a thread asks for before it looks at the first, since memory is slow to answer. */
  public static final int AT_ONCE = 2;

  /** Lengths of the queue, in turns, and whether an EMPTY slot was seen behind the region. */
  public static final int SHARED_INTS = 3;

  private static final int ENDS = 2;

  /** In place of the state of a slot that is not looked at. */
  private static final int NONE = -1;

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable old = this.old.copy();
    NumberTable table = built.layout().table();
    Pairs entries = built.spilled();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int lane = Lanes.index();
    int lastLane = Lanes.width() - 1;
    int inserted = 0;
    for (int region = thread / blockSize; region < 1 << bits; region += shape.blocks()) {
      long first = Level.firstSlot(table, region, bits);
      int size = (int) (Level.firstSlot(table, region + 1, bits) - first);
      if (own < SHARED_INTS) {
        shared.set(own, 0);
      }
      built.read(own, blockSize, first, size, true);
      long end = Level.firstSlot(old, region + 1, bits);
      long to = region + 1 == 1 << bits ? places : end;
      long from = Level.firstSlot(old, region, bits);
      int far = 0;
      int turn = 0;
      boolean goesOn = true;
      while (goesOn) {
        boolean behind = from >= to;
        long at = from + own;
        long at1 = at + blockSize;
        long slot = behind ? (end + far + own) % old.slots() : Math.min(at, places - 1);
        long slot1 = Math.min(at1, places - 1);
        long seen = old.quiet(slot);
        long seen1 = old.quiet(slot1);
        long beside = old.quietBeside(slot);
        long beside1 = old.quietBeside(slot1);
        int state = behind || at < to ? old.state(seen, beside) : NONE;
        int state1 = at1 < to ? old.state(seen1, beside1) : NONE;
        if (behind && state == EMPTY) {
          // relaxed: a barrier comes before it is read
          shared.storeRelaxed(ENDS, 1);
        }
        long key = old.key(slot, seen);
        long key1 = old.key(slot1, seen1);
        int is = takes(state, slot, key, region);
        int is1 = takes(state1, slot1, key1, region);
        int some = is + is1;
        int upTo = Lanes.prefixSum(some);
        int place = 0;
        if (lane == lastLane) {
          // relaxed: places, which are nobody else's
          place = shared.fetchAddRelaxed(turn, upTo);
        }
        place = Lanes.broadcast(place, lastLane) + upTo - some;
        stage(entries, is, place, slot, key, seen, beside);
        stage(entries, is1, place + is, slot1, key1, seen1, beside1);
        Block.barrier();
        int queued = shared.get(turn);
        turn = 1 - turn;
        if (own == 0) {
          shared.set(turn, 0);
        }
        for (int i = own; i < queued; i += blockSize) {
          long moved = entries.staged(queue, i);
          int home = built.home(moved, first, size);
          int outcome =
              built.insert(moved, entries.stagedValue(queue, i), home, size, new Change.None());
          inserted += outcome == INSERTED ? 1 : 0;
        }
        from += (long) AT_ONCE * blockSize;
        far += behind ? blockSize : 0;
        goesOn = !behind || (shared.get(ENDS) == 0 && far < farthest);
        Block.barrier();
      }
      if (own == 0 && shared.get(ENDS) == 0) {
        // relaxed: the end of the launch publishes it
        built.counters().storeRelaxed(CROWDED, 1);
      }
      built.write(own, blockSize, first, size);
    }
    Counting.add(built.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
  }

  /** 1 for an entry of the region, or of none; else 0. */
  private int takes(int state, long slot, long key, int region) {
    NumberTable table = built.layout().table();
    int other = slot < old.slots() ? table.part(table.hash(key), bits) ^ region : 0;
    return (other | (state ^ FILLED)) == 0 ? 1 : 0;
  }

  private void stage(
      Pairs entries, int is, int place, long slot, long key, long seen, long beside) {
    if (is != 0) {
      entries.stage(queue, place, key, old.value(slot, seen, beside, 0));
    }
  }
}
