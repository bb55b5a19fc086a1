package dev.gyre.kernels.map.partition;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.PENDING;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.NumberTable;

/**
 * One partition of a table in the shared memory of a block. The block reads it, or starts with
 * EMPTY slots, inserts entries, and writes it back. Nothing else updates the table meanwhile.
 *
 * <p>A key that finds no slot from its home to the end of its partition <em>overflows</em>: it is
 * written to an array, and inserted after all partitions are built. All slots that it met stay
 * FILLED, so that no insert must be undone.
 *
 * @param layout layout of the table
 * @param overflow array of keys that overflow
 * @param capacity number of entries that fit in {@code overflow}; further ones are counted and lost
 * @param counters counters, in which OVERFLOWED is the number of keys that overflowed
 * @param slots the partition, in shared memory
 * @param staged {@link #STAGED} entries on their way to {@code overflow}, in shared memory
 * @param shared {@link #SHARED_INTS} ints in shared memory
 */
public record BlockPartition(
    PartitionSlots layout,
    Pairs overflow,
    long capacity,
    DeviceLongs counters,
    SharedLongs slots,
    SharedLongs staged,
    SharedInts shared) {

  /** Number of entries of a partition that overflow together; further ones overflow singly. */
  public static final int STAGED = 128;

  /** Number of shared ints: the number of overflowing entries, and the place of the first. */
  public static final int SHARED_INTS = 2;

  /**
   * Reads a partition. All threads of the block call it, after all threads have finished the last
   * one.
   *
   * @param own number of the thread in its block
   * @param first first slot of the partition
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

  /** Returns the home of a key in the partition; its size if the home is outside. */
  int home(long key, long first, int size) {
    NumberTable table = layout.table();
    long distance = table.home(key, table.hash(key)) - first;
    // A home after all slots is in no partition.
    return distance < size ? (int) distance : size;
  }

  /** Inserts an entry; returns its outcome, which is PENDING if it overflows. */
  int insert(long key, long value, int home, int size, Change change) {
    int outcome = layout.insert(slots, key, value, home, size, change);
    if (outcome == PENDING) {
      overflow(key, value);
    }
    return outcome;
  }

  private void overflow(long key, long value) {
    // relaxed: a barrier precedes its read
    int place = shared.fetchAddRelaxed(0, 1);
    if (place < STAGED) {
      overflow.stage(staged, place, key, value);
    } else {
      long at = PartitionLevel.overflow(counters, 1);
      if (at < capacity) {
        overflow.set(at, key, value);
      }
    }
  }

  /** Writes a partition and its overflow. All threads of the block call it. */
  void write(int own, int blockSize, long first, int size) {
    Block.barrier();
    int some = shared.get(0) < STAGED ? shared.get(0) : STAGED;
    if (own == 0 && some > 0) {
      shared.set(1, (int) PartitionLevel.overflow(counters, some));
    }
    for (int j = own; j < size * layout.tableLongs(); j += blockSize) {
      layout.write(slots, first, j);
    }
    Block.barrier();
    int longs = overflow.longs();
    long place = (long) shared.get(1) * longs;
    long end = capacity * longs;
    for (int j = own; j < some * longs; j += blockSize) {
      if (place + j < end) {
        overflow.words().set(place + j, staged.get(j));
      }
    }
    Block.barrier();
  }
}
