package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.LongBlock;
import dev.gyre.structures.map.work.Step;
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
@IntTwin
public final class LongOrder {

  /**
   * Size of a hash range of the table, in bytes: two of them, and the data in transit, fit in the
   * second-level cache.
   */
  private static final long REGION_BYTES = 1 << 17;

  /**
   * Smallest number of ranges for which an insert orders its keys. A smaller table is mostly in the
   * third-level cache, where random access is as fast as ordering; an insert takes longer than a
   * lookup.
   */
  private static final int MIN_REGIONS_TO_INSERT = 80;

  private static final int MIN_REGIONS_TO_FIND = 160;

  /**
   * Regions per worker from which on an insert is worth an order, since nothing is claimed: where a
   * table is smaller, so are they.
   */
  private static final int MIN_REGIONS_PER_WORKER = 4;

  /** More streams than that are too many for the caches to collect whole lines of. */
  private static final int MAX_REGIONS = 1 << 10;

  private static final int MIN_KEYS_PER_REGION = 1 << 7;

  /** Fewer keys have reached their slots before they could be put in order. */
  private static final int MIN_KEYS = 1 << 16;

  /** The same where each region has its owner, so that nothing is claimed. */
  private static final int MIN_OWNED_KEYS = 1 << 14;

  private final LongBatch batch;
  private final LongScratch stage;
  private final Workers workers;
  private final LongTable table;
  private final int bits;
  private final List<Step> slices;
  private final boolean inserts;

  /** The keys as they were read, if they are to be inserted. */
  private final Longs given;

  /** For each slice, where its keys of each region go. */
  private final int[][] starts;

  LongOrder(LongBatch batch, LongScratch stage, Workers workers, LongTable table, int bits) {
    this.batch = batch;
    this.stage = stage;
    this.workers = workers;
    this.table = table;
    this.bits = bits;
    this.slices = Step.cut(0, batch.length(), Math.ceilDiv(batch.length(), workers.count()));
    this.starts = new int[slices.size()][];
    this.inserts = batch.values() != null;
    this.given = Longs.of(stage.given.memory(), batch.length());
  }

  /** How many bits of the hash tell regions apart; 0 if keys are better left as they are. */
  static int regionBits(LongTable table, long keys, int workers, boolean updates) {
    boolean owned = updates && workers > 1;
    // At first, since a call on few keys takes no longer than to ask for the table's size.
    if (keys < (owned ? MIN_OWNED_KEYS : MIN_KEYS)) {
      return 0;
    }
    long alone = updates ? MIN_REGIONS_TO_INSERT : MIN_REGIONS_TO_FIND;
    long least = owned ? Math.max(2, (long) MIN_REGIONS_PER_WORKER * workers) : alone;
    long wanted = Math.max(table.byteSize() / REGION_BYTES, owned ? least : 0);
    long regions = Math.min(Math.min(wanted, keys / MIN_KEYS_PER_REGION), MAX_REGIONS);
    boolean few = regions < Math.min(least, MAX_REGIONS);
    return few ? 0 : 63 - Long.numberOfLeadingZeros(regions);
  }

  /**
   * Whether each region of a table has a slot in which it begins, and no other one does: else
   * regions that are not next to each other have slots in common.
   */
  static boolean hasRegions(long slots, int bits) {
    return slots >= 1L << bits;
  }

  /**
   * Returns the last slot that keys of a range and the next one, cyclically, can have as home,
   * except keys of the range after that. A slot that two ranges share belongs to the later one. The
   * table must {@linkplain #hasRegions have such ranges}.
   */
  static long lastOfTwo(int region, int bits, long slots) {
    int after = (region + 2) & ((1 << bits) - 1);
    long first = firstOf(after, bits, slots);
    return first == 0 ? slots - 1 : first - 1;
  }

  /**
   * Returns the first slot of a range, as for hashes of 64 bits, whose upper half is a hash of 32
   * bits.
   */
  private static long firstOf(int region, int bits, long slots) {
    return Math.unsignedMultiplyHigh((long) region << (64 - bits), slots);
  }

  /** Fills the scratch memory with the batch; returns the keys of each range, in rising order. */
  List<Step> order() {
    workers.run(
        "count regions",
        slices,
        (worker, slice) -> starts[slices.indexOf(slice)] = countRegions(slice));
    List<Step> regions = new ArrayList<>();
    int at = 0;
    for (int region = 0; region < 1 << bits; region++) {
      int begin = at;
      for (int[] of : starts) {
        int count = of[region];
        of[region] = at;
        at += count;
      }
      regions.add(new Step(begin, at));
    }
    workers.run("order keys", slices, (worker, slice) -> scatter(slice));
    return regions;
  }

  private int[] countRegions(Step slice) {
    int[] counts = new int[1 << bits];
    LongBlock keys = new LongBlock(batch.keys(), inserts);
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      keys.read(at, count);
      if (inserts) {
        given.write(at, keys.array(), count);
      }
      tell(keys.array(), keys.first(), count, (int) at);
      count(stage.regions, (int) at, count, counts);
    }
    return counts;
  }

  // Stores the ranges of keys. There is a loop per array, so that the compiler unrolls each.

  private void tell(long[] keys, int first, int count, int at) {
    if (table.hasOurHash()) {
      tell(keys, first, count, table.seed, bits, stage.regions, at);
      return;
    }
    for (int i = 0; i < count; i++) {
      stage.regions[at + i] = (char) table.part(keys[first + i], bits);
    }
  }

  private static void tell(
      long[] keys, int first, int count, long seed, int bits, char[] regions, int at) {
    for (int i = 0; i < count; i++) {
      regions[at + i] = (char) Hashing.part(keys[first + i], seed, bits);
    }
  }

  private static void count(char[] regions, int at, int count, int[] counts) {
    for (int i = at; i < at + count; i++) {
      counts[regions[i]]++;
    }
  }

  private void scatter(Step slice) {
    LongBlock keys = new LongBlock(inserts ? given : batch.keys());
    Longs batchValues = batch.values();
    LongBlock values =
        batchValues == null ? null : batch.isSet() ? keys : new LongBlock(batchValues);
    forBlocks(
        slice,
        (at, count, places) -> {
          keys.read(at, count);
          put(keys, count, stage.keys, places);
          if (values != null) {
            if (!batch.isSet()) {
              values.read(at, count);
            }
            put(values, count, stage.values, places);
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

  private void forBlocks(Step slice, Work work) {
    int[] next = starts[slices.indexOf(slice)].clone();
    int[] places = new int[LongBlock.LENGTH];
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      takePlaces(stage.regions, (int) at, count, next, places);
      work.run((int) at, count, places);
    }
  }

  private static void takePlaces(char[] regions, int at, int count, int[] next, int[] places) {
    for (int i = 0; i < count; i++) {
      places[i] = next[regions[at + i]]++;
    }
  }
}
