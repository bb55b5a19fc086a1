package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.LongBlock;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;

/**
 * Orders the keys of a batch by hash ranges of the table, by a radix sort, so that a worker stays
 * in one part of the table for a while. Hashes rise with slots, so that the order suits a table of
 * any size.
 *
 * <p>Keys to insert are read once into scratch memory, while the keys of each range are counted,
 * and ordered from there.
 *
 * <p>The range of each key is stored in the order of the batch, with the start of each slice's keys
 * in each range. From that, results find their keys again: a pass over the batch reads as many
 * sequential streams as there are ranges.
 */
@IntSpecialized
public final class LongOrder {

  /**
   * Size of a hash range of the table, in bytes: two of them, and the data in transit, fit in the
   * second-level cache.
   */
  private static final long PARTITION_BYTES = 1 << 17;

  /**
   * Smallest number of ranges for which an insert orders its keys. A smaller table is mostly in the
   * third-level cache, where random access is as fast as ordering; an insert takes longer than a
   * lookup.
   */
  private static final int MIN_PARTITIONS_TO_INSERT = 80;

  private static final int MIN_PARTITIONS_TO_FIND = 160;

  /**
   * Partitions per worker from which on an insert is worth an order, since nothing is claimed:
   * where a table is smaller, so are they.
   */
  private static final int MIN_PARTITIONS_PER_WORKER = 4;

  /** More streams than that are too many for the caches to collect whole lines of. */
  private static final int MAX_PARTITIONS = 1 << 10;

  private static final int MIN_KEYS_PER_PARTITION = 1 << 7;

  /** Fewer keys have reached their slots before they could be put in order. */
  private static final int MIN_KEYS = 1 << 16;

  /** The same where each partition has its owner, so that nothing is claimed. */
  private static final int MIN_EXCLUSIVE_KEYS = 1 << 14;

  private final LongBatch batch;
  private final LongScratch scratch;
  private final Workers workers;
  private final LongTable table;
  private final int bits;
  private final List<TaskRange> slices;
  private final boolean inserts;

  /** The keys as they were read, if they are to be inserted. */
  private final Longs given;

  /** For each slice, where its keys of each partition go. */
  private final int[][] starts;

  LongOrder(LongBatch batch, LongScratch scratch, Workers workers, LongTable table, int bits) {
    this.batch = batch;
    this.scratch = scratch;
    this.workers = workers;
    this.table = table;
    this.bits = bits;
    this.slices = TaskRange.cut(0, batch.length(), Math.ceilDiv(batch.length(), workers.count()));
    this.starts = new int[slices.size()][];
    this.inserts = batch.values() != null;
    this.given = Longs.of(scratch.given.memory(), batch.length());
  }

  /** Number of bits of the hash that select a partition; 0 if the keys stay in their order. */
  static int partitionBits(LongTable table, long keys, int workers, boolean updates) {
    boolean isExclusive = updates && workers > 1;
    // At first, since a call on few keys takes no longer than to ask for the table's size.
    if (keys < (isExclusive ? MIN_EXCLUSIVE_KEYS : MIN_KEYS)) {
      return 0;
    }
    long alone = updates ? MIN_PARTITIONS_TO_INSERT : MIN_PARTITIONS_TO_FIND;
    long least = isExclusive ? Math.max(2, (long) MIN_PARTITIONS_PER_WORKER * workers) : alone;
    long wanted = Math.max(table.byteSize() / PARTITION_BYTES, isExclusive ? least : 0);
    long partitions = Math.min(Math.min(wanted, keys / MIN_KEYS_PER_PARTITION), MAX_PARTITIONS);
    boolean few = partitions < Math.min(least, MAX_PARTITIONS);
    return few ? 0 : 63 - Long.numberOfLeadingZeros(partitions);
  }

  /**
   * Whether each partition of a table has a slot in which it begins, and no other one does: else
   * partitions that are not next to each other have slots in common.
   */
  static boolean hasPartitions(long slots, int bits) {
    return slots >= 1L << bits;
  }

  /**
   * Returns the last slot that keys of a range and the next one, cyclically, can have as home,
   * except keys of the range after that. A slot that two ranges share belongs to the later one. The
   * table must {@linkplain #hasPartitions have such ranges}.
   */
  static long lastOfTwo(int partition, int bits, long slots) {
    int after = (partition + 2) & ((1 << bits) - 1);
    long first = firstSlotOf(after, bits, slots);
    return first == 0 ? slots - 1 : first - 1;
  }

  /**
   * Returns the first slot of a range, as for hashes of 64 bits, whose upper half is a hash of 32
   * bits.
   */
  private static long firstSlotOf(int partition, int bits, long slots) {
    return Math.unsignedMultiplyHigh((long) partition << (64 - bits), slots);
  }

  /** Fills the scratch memory with the batch; returns the keys of each range, in rising order. */
  List<TaskRange> order() {
    workers.run(
        "count partitions",
        slices,
        (worker, slice) -> starts[slices.indexOf(slice)] = countPartitions(slice));
    List<TaskRange> partitions = new ArrayList<>();
    int at = 0;
    for (int partition = 0; partition < 1 << bits; partition++) {
      int begin = at;
      for (int[] of : starts) {
        int count = of[partition];
        of[partition] = at;
        at += count;
      }
      partitions.add(new TaskRange(begin, at));
    }
    workers.run("order keys", slices, (worker, slice) -> scatter(slice));
    return partitions;
  }

  private int[] countPartitions(TaskRange slice) {
    int[] counts = new int[1 << bits];
    LongBlock keys = new LongBlock(batch.keys(), inserts);
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      keys.read(at, count);
      if (inserts) {
        given.write(at, keys.array(), count);
      }
      findPartitions(keys.array(), keys.first(), count, (int) at);
      count(scratch.partitions, (int) at, count, counts);
    }
    return counts;
  }

  // Stores the ranges of keys. There is a loop per array, so that the compiler unrolls each.

  private void findPartitions(long[] keys, int first, int count, int at) {
    if (table.hasOurHash()) {
      findPartitions(keys, first, count, table.seed, bits, scratch.partitions, at);
      return;
    }
    for (int i = 0; i < count; i++) {
      scratch.partitions[at + i] = (char) table.partition(keys[first + i], bits);
    }
  }

  private static void findPartitions(
      long[] keys, int first, int count, long seed, int bits, char[] partitions, int at) {
    for (int i = 0; i < count; i++) {
      partitions[at + i] = (char) Hashing.partition(keys[first + i], seed, bits);
    }
  }

  private static void count(char[] partitions, int at, int count, int[] counts) {
    for (int i = at; i < at + count; i++) {
      counts[partitions[i]]++;
    }
  }

  private void scatter(TaskRange slice) {
    LongBlock keys = new LongBlock(inserts ? given : batch.keys());
    Longs batchValues = batch.values();
    LongBlock values =
        batchValues == null ? null : batch.isSet() ? keys : new LongBlock(batchValues);
    forBlocks(
        slice,
        (at, count, places) -> {
          keys.read(at, count);
          put(keys, count, scratch.keys, places);
          if (values != null) {
            if (!batch.isSet()) {
              values.read(at, count);
            }
            put(values, count, scratch.values, places);
          }
          batch.putMask(at, count, places);
        });
  }

  private static void put(
      LongBlock block, int count, /* DeviceInts */ DeviceLongs to, int[] places) {
    long[] array = block.array();
    int first = block.first();
    for (int i = 0; i < count; i++) {
      to.set(places[i], array[first + i]);
    }
  }

  /** Operation on some keys of the batch with their places. */
  @FunctionalInterface
  interface Work {
    void run(int at, int count, int[] places);
  }

  /** Processes all keys of the batch, slices in parallel. */
  void forSlices(String name, Work work) {
    workers.run(name, slices, (worker, slice) -> forBlocks(slice, work));
  }

  private void forBlocks(TaskRange slice, Work work) {
    int[] next = starts[slices.indexOf(slice)].clone();
    int[] places = new int[LongBlock.LENGTH];
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      takePlaces(scratch.partitions, (int) at, count, next, places);
      work.run((int) at, count, places);
    }
  }

  private static void takePlaces(char[] partitions, int at, int count, int[] next, int[] places) {
    for (int i = 0; i < count; i++) {
      places[i] = next[partitions[at + i]]++;
    }
  }
}
