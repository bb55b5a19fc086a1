package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.PENDING;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.NumberTable;

/**
 * A region of a table as a block has it, in memory that it shares: it is read, or all EMPTY,
 * entries are inserted, and it is written. Nobody else updates the table.
 *
 * <p>A key that finds no slot from its home to the end of its region is <em>spilled</em>: it is
 * written to an array, and to be inserted one by one when all regions are built. All slots that it
 * met stay FILLED, so that nothing is done twice.
 *
 * @param layout of the table
 * @param spilled where to write those
 * @param room how many of them it takes; those for which it has none are counted, and lost
 * @param counters whose SPILLED says how many there were
 * @param slots a region, which a block shares
 * @param noted entries that are spilled, {@link #NOTED} of them, which a block shares
 * @param shared ints that a block shares: {@link #SHARED_INTS}
 */
public record BlockRegion(
    RegionSlots layout,
    Pairs spilled,
    long room,
    DeviceLongs counters,
    SharedLongs slots,
    SharedLongs noted,
    SharedInts shared) {

  /** Places for entries that are spilled; where there are more in a region, each goes by itself. */
  public static final int NOTED = 128;

  /** Number of entries spilled, and where they go. */
  public static final int SHARED_INTS = 2;

  /**
   * Reads a region; all threads of the block come by, and those of the last one have ended.
   *
   * @param own number of the thread in its block
   * @param first slot of the region
   * @param size number of its slots
   * @param isNew whether all slots are EMPTY, and need not be read
   */
  void read(int own, int blockSize, long first, int size, boolean isNew) {
    int longs = layout.longs();
    for (int j = own; j < size * longs; j += blockSize) {
      slots.set(j, isNew ? EMPTY : layout.read(first, j));
    }
    if (own == 0) {
      shared.set(0, 0);
    }
    Block.barrier();
  }

  /** Where in the region the search for a key begins; its size where that is in no region. */
  int home(long key, long first, int size) {
    NumberTable table = layout.table();
    long distance = table.home(key, table.hash(key)) - first;
    // A home behind all slots is of no region.
    return distance < size ? (int) distance : size;
  }

  /** Inserts an entry; returns what became of it: one that was spilled is PENDING. */
  int insert(long key, long value, int home, int size, Change change) {
    int outcome = layout.insert(slots, key, value, home, size, change);
    if (outcome == PENDING) {
      spill(key, value);
    }
    return outcome;
  }

  private void spill(long key, long value) {
    // relaxed: a barrier comes before it is read
    int place = shared.fetchAddRelaxed(0, 1);
    if (place < NOTED) {
      spilled.stage(noted, place, key, value);
    } else {
      long at = Level.spill(counters, 1);
      if (at < room) {
        spilled.set(at, key, value);
      }
    }
  }

  /** Writes a region, and what was spilled; all threads of the block come by. */
  void write(int own, int blockSize, long first, int size) {
    Block.barrier();
    int some = shared.get(0) < NOTED ? shared.get(0) : NOTED;
    if (own == 0 && some > 0) {
      shared.set(1, (int) Level.spill(counters, some));
    }
    for (int j = own; j < size * layout.tableLongs(); j += blockSize) {
      layout.write(slots, first, j);
    }
    Block.barrier();
    int longs = spilled.longs();
    long place = (long) shared.get(1) * longs;
    long end = room * longs;
    for (int j = own; j < some * longs; j += blockSize) {
      if (place + j < end) {
        spilled.words().set(place + j, noted.get(j));
      }
    }
    Block.barrier();
  }
}
