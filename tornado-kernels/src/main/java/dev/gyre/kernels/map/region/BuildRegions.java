package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.PackedSlots;

/**
 * Inserts entries that are in the order of a table's regions into packed slots: each block one
 * region after the other, in memory that it shares. Nobody else updates the table.
 *
 * <p>A key that finds no slot from its home to the end of its region is <em>spilled</em>: it is
 * written to an array, and to be inserted one by one when all regions are built. All slots that it
 * met stay FILLED, so that nothing is done twice.
 *
 * @param level of the regions
 * @param spilled where to write those
 * @param isNew whether all slots are EMPTY, and need not be read
 * @param slots a region, which a block shares
 * @param left entries that are spilled, {@link #NOTED}, which a block shares
 * @param shared ints that a block shares: {@link #SHARED_INTS}
 */
public record BuildRegions(
    PackedSlots table,
    Pairs.OfInts entries,
    Level level,
    Pairs.OfInts spilled,
    Change change,
    DeviceLongs counters,
    boolean isNew,
    SharedLongs slots,
    SharedLongs left,
    SharedInts shared)
    implements Kernel {

  /** Places for entries that are spilled; where there are more in a region, each goes by itself. */
  public static final int NOTED = 128;

  /** Number of entries spilled, and where they go. */
  public static final int SHARED_INTS = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    PackedSlots table = this.table.copy();
    DeviceLongs words = table.words();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int regions = level.isCrowded() ? 0 : level.regions();
    int inserted = 0;
    int present = 0;
    for (int region = thread / blockSize; region < regions; region += shape.blocks()) {
      long first = level.firstSlot(table, region);
      int size = (int) (level.firstSlot(table, region + 1) - first);
      int end = numbers.get(level.begins() + region + 1);
      for (int slot = own; slot < size; slot += blockSize) {
        slots.set(slot, isNew ? EMPTY : words.get(first + slot));
      }
      if (own == 0) {
        shared.set(0, 0);
      }
      Block.barrier();
      int i = numbers.get(level.begins() + region) + own;
      long next = i < end ? entries.words().get(i) : 0;
      while (i < end) {
        long word = next;
        i += blockSize;
        // Asked for one ahead, since memory is slow to answer.
        next = i < end ? entries.words().get(i) : 0;
        int outcome = insert(table, word, first, size);
        inserted += outcome == INSERTED ? 1 : 0;
        present += outcome == PRESENT ? 1 : 0;
        if (outcome == PENDING) {
          spill(word);
        }
      }
      Block.barrier();
      int noted = shared.get(0) < NOTED ? shared.get(0) : NOTED;
      if (own == 0 && noted > 0) {
        // relaxed: places, which are nobody else's
        shared.set(1, numbers.fetchAddRelaxed(Level.SPILLED, noted));
      }
      for (int j = own; j < size; j += blockSize) {
        // relaxed: readers may run beside this; the word is all there is to see
        words.storeRelaxed(first + j, slots.get(j));
      }
      Block.barrier();
      for (int j = own; j < noted; j += blockSize) {
        spilled.words().set(shared.get(1) + j, left.get(j));
      }
      Block.barrier();
    }
    Counting.add(counters, thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(counters, thread, PRESENT, present, MapCodes.STRIPED);
  }

  /** Inserts an entry into the block's region; PENDING where that has no slot for it. */
  private int insert(PackedSlots table, long word, long first, int size) {
    long key = Pairs.OfInts.keyOf(word);
    long desired = table.desired(key, Pairs.OfInts.valueOf(word));
    int stored = PackedSlots.storedOf(desired);
    long distance = table.home(key, table.hash(key)) - first;
    // The side slot is behind all regions.
    int slot = distance < size ? (int) distance : size;
    long seen = EMPTY;
    boolean goesOn = slot < size;
    while (goesOn) {
      // relaxed, as all of these: the word is all there is to see
      seen = slots.loadRelaxed(slot);
      if (seen == EMPTY) {
        seen = slots.compareAndExchangeRelaxed(slot, EMPTY, desired);
      }
      boolean other = seen != EMPTY && PackedSlots.storedOf(seen) != stored;
      slot += other ? 1 : 0;
      goesOn = other && slot < size;
    }
    int met = seen == EMPTY ? INSERTED : PRESENT;
    int outcome = slot < size ? met : PENDING;
    if (outcome == PRESENT && change.policy() != KEEP) {
      change(slot, seen, Pairs.OfInts.valueOf(word));
    }
    return outcome;
  }

  /** Does to a value what is done with one that is present. */
  private void change(int slot, long there, long given) {
    long before = EMPTY;
    long seen = there;
    while (seen != before) {
      before = seen;
      long after = change.applied(PackedSlots.valueOf(before), given);
      // relaxed: as above
      seen =
          slots.compareAndExchangeRelaxed(
              slot, before, PackedSlots.word(PackedSlots.storedOf(before), (int) after));
    }
  }

  private void spill(long word) {
    // relaxed: a barrier comes before it is read
    int place = shared.fetchAddRelaxed(0, 1);
    if (place < NOTED) {
      left.set(place, word);
    } else {
      // relaxed: a place, which is nobody else's
      spilled.words().set(level.numbers().fetchAddRelaxed(Level.SPILLED, 1), word);
    }
  }
}
