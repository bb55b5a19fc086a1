package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Inserts entries that are in the order of a table's regions: each block into one {@link
 * BlockRegion} after the other.
 *
 * <p>Where a layout changes values {@linkplain RegionSlots#inRounds in rounds}, each thread inserts
 * one key, and when all have, those whose keys are there change their values: so nobody waits for a
 * value.
 *
 * @param built the region that a block has
 * @param level of the regions
 * @param isNew whether all slots are EMPTY, and need not be read
 * @param left whether only regions are built that {@link PlaceRegions} has left
 */
public record BuildRegions(
    BlockRegion built, Pairs entries, Level level, Change change, boolean isNew, boolean left)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    RegionSlots layout = built.layout();
    NumberTable table = layout.table();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int regions = level.isCrowded() ? 0 : level.regions();
    boolean inRounds = layout.inRounds(change);
    int inserted = 0;
    int present = 0;
    for (int region = thread / blockSize; region < regions; region += shape.blocks()) {
      long first = level.firstSlot(table, region);
      boolean isBuilt = left && !level.isLeft(region);
      int size = isBuilt ? 0 : (int) (level.firstSlot(table, region + 1) - first);
      int end = isBuilt ? 0 : numbers.get(level.begins() + region + 1);
      built.read(own, blockSize, first, size, isNew);
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
        int home = built.home(key, first, size);
        int outcome = SKIPPED;
        if (is) {
          outcome = built.insert(key, value, home, size, change);
        }
        inserted += outcome == INSERTED ? 1 : 0;
        present += outcome == PRESENT ? 1 : 0;
        if (inRounds) {
          Block.barrier();
          // No loop on a branch here: TornadoVM would compile that wrong.
          boolean changes = outcome == PRESENT && change.policy() != KEEP;
          layout.change(built.slots(), key, value, home, change, changes);
        }
      }
      built.write(own, blockSize, first, size);
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
  }
}
