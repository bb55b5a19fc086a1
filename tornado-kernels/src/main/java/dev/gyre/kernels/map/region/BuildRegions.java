package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Inserts entries that are in the order of a table's regions: each block into one region after the
 * other, in memory that it shares. Nobody else updates the table.
 *
 * <p>A key that finds no slot from its home to the end of its region is <em>spilled</em>: it is
 * written to an array, and to be inserted one by one when all regions are built. All slots that it
 * met stay FILLED, so that nothing is done twice.
 *
 * <p>Where a layout changes values {@linkplain RegionSlots#inRounds in rounds}, each thread inserts
 * one key, and when all have, those whose keys are there change their values: so nobody waits for a
 * value.
 *
 * @param layout of the table
 * @param level of the regions
 * @param spilled where to write those
 * @param isNew whether all slots are EMPTY, and need not be read
 * @param left whether only regions are built that {@link PlaceRegions} has left
 * @param slots a region, which a block shares
 * @param noted entries that are spilled, {@link #NOTED} of them, which a block shares
 * @param shared ints that a block shares: {@link #SHARED_INTS}
 */
public record BuildRegions(
    RegionSlots layout,
    Pairs entries,
    Level level,
    Pairs spilled,
    Change change,
    boolean isNew,
    boolean left,
    SharedLongs slots,
    SharedLongs noted,
    SharedInts shared)
    implements Kernel {

  /** Places for entries that are spilled; where there are more in a region, each goes by itself. */
  public static final int NOTED = 128;

  /** Number of entries spilled, and where they go. */
  public static final int SHARED_INTS = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable table = layout.table();
    int longs = layout.longs();
    int written = layout.tableLongs();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int regions = level.isCrowded() ? 0 : level.regions();
    boolean inRounds = layout.inRounds(change);
    int inserted = 0;
    int present = 0;
    for (int region = thread / blockSize; region < regions; region += shape.blocks()) {
      long first = level.firstSlot(table, region);
      boolean built = left && !level.isLeft(region);
      int size = built ? 0 : (int) (level.firstSlot(table, region + 1) - first);
      int end = built ? 0 : numbers.get(level.begins() + region + 1);
      for (int j = own; j < size * longs; j += blockSize) {
        slots.set(j, isNew ? EMPTY : layout.read(first, j));
      }
      if (own == 0) {
        shared.set(0, 0);
      }
      Block.barrier();
      int begin = numbers.get(level.begins() + region);
      long next = begin + own < end ? entries.word(begin + own) : 0;
      long nextBeside = begin + own < end ? entries.beside(begin + own) : 0;
      // In rounds all threads of the block come to each barrier.
      for (int at = inRounds ? begin : begin + own; at < end; at += blockSize) {
        int i = inRounds ? at + own : at;
        boolean is = i < end;
        long key = entries.keyIn(next);
        long value = entries.valueIn(next, nextBeside);
        i += blockSize;
        // Asked for one ahead, since memory is slow to answer.
        next = i < end ? entries.word(i) : 0;
        nextBeside = i < end ? entries.beside(i) : 0;
        long distance = table.home(key, table.hash(key)) - first;
        // A home behind all slots is of no region.
        int home = distance < size ? (int) distance : size;
        int outcome = SKIPPED;
        if (is) {
          outcome = layout.insert(slots, key, value, home, size, change);
        }
        inserted += outcome == INSERTED ? 1 : 0;
        present += outcome == PRESENT ? 1 : 0;
        if (outcome == PENDING) {
          spill(key, value);
        }
        if (inRounds) {
          Block.barrier();
          // No loop on a branch here: TornadoVM would compile that wrong.
          boolean changes = outcome == PRESENT && change.policy() != KEEP;
          layout.change(slots, key, value, home, change, changes);
        }
      }
      Block.barrier();
      int some = shared.get(0) < NOTED ? shared.get(0) : NOTED;
      if (own == 0 && some > 0) {
        shared.set(1, (int) level.spill(some));
      }
      for (int j = own; j < size * written; j += blockSize) {
        layout.write(slots, first, j);
      }
      Block.barrier();
      int longsOfEntry = spilled.longs();
      long place = (long) shared.get(1) * longsOfEntry;
      for (int j = own; j < some * longsOfEntry; j += blockSize) {
        spilled.words().set(place + j, noted.get(j));
      }
      Block.barrier();
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
  }

  private void spill(long key, long value) {
    // relaxed: a barrier comes before it is read
    int place = shared.fetchAddRelaxed(0, 1);
    if (place < NOTED) {
      spilled.stage(noted, place, key, value);
    } else {
      spilled.set(level.spill(1), key, value);
    }
  }
}
