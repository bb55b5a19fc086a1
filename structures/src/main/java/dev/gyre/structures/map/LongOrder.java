package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Hashing;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the keys of a batch in the order of the regions of the table in which they live, as a radix
 * sort does, so that a worker stays in one region for a while. Hashes rise with slots, so the order
 * suits a table of any size.
 *
 * <p>The place of each key is kept in the order of the batch. Whoever walks over the batch and
 * looks up places reads as many streams as there are regions, each from end to end.
 */
final class LongOrder {

  private static final long REGION_BYTES = 1 << 19;
  private static final int MIN_REGIONS = 16;
  private static final int MAX_REGIONS = 1 << 10;
  private static final int MIN_KEYS_PER_REGION = 1 << 7;

  private LongOrder() {}

  /** How many bits of the hash tell regions apart; 0 if keys are better left as they are. */
  static int regionBits(LongTable table, long keys) {
    long regions =
        Math.min(
            Math.min(table.byteSize() / REGION_BYTES, MAX_REGIONS), keys / MIN_KEYS_PER_REGION);
    return regions < MIN_REGIONS ? 0 : 63 - Long.numberOfLeadingZeros(regions);
  }

  /**
   * The last slot that keys of a region and of the next one, in the circle of regions, have for
   * their home but for keys of the one after: where two regions have a slot in common, it belongs
   * to the later one.
   */
  static long lastOfTwo(int region, int bits, long slots) {
    int after = (region + 2) & ((1 << bits) - 1);
    long first = firstOf(after, bits, slots);
    return first == 0 ? slots - 1 : first - 1;
  }

  private static long firstOf(int region, int bits, long slots) {
    return Math.unsignedMultiplyHigh((long) region << (Long.SIZE - bits), slots);
  }

  /** Fills a stage with a batch; returns the keys of each region, in rising order. */
  static List<Step> order(LongBatch batch, LongStage stage, Workers workers, long seed, int bits) {
    List<Step> slices = slices(batch.length(), workers);
    int[][] places = new int[slices.size()][];
    workers.run(
        "count regions",
        slices,
        (worker, slice) -> places[slices.indexOf(slice)] = histogram(batch, slice, seed, bits));
    List<Step> regions = new ArrayList<>();
    int at = 0;
    for (int region = 0; region < 1 << bits; region++) {
      int begin = at;
      for (int[] of : places) {
        int count = of[region];
        of[region] = at;
        at += count;
      }
      regions.add(new Step(begin, at));
    }
    workers.run(
        "order keys",
        slices,
        (worker, slice) -> scatter(batch, stage, slice, seed, bits, places[slices.indexOf(slice)]));
    return regions;
  }

  /** The parts of a batch that workers read from end to end. */
  static List<Step> slices(long length, Workers workers) {
    return Step.cut(0, length, Math.ceilDiv(length, workers.count()));
  }

  private static int[] histogram(LongBatch batch, Step slice, long seed, int bits) {
    int[] counts = new int[1 << bits];
    LongBlock keys = new LongBlock(batch.keys());
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      keys.read(at, count);
      count(keys.array(), keys.first(), count, seed, bits, counts);
    }
    return counts;
  }

  private static void count(long[] keys, int first, int count, long seed, int bits, int[] counts) {
    for (int i = first; i < first + count; i++) {
      counts[Hashing.part(keys[i], seed, bits)]++;
    }
  }

  /** A loop for each array, since each is then short enough for a compiler to unroll. */
  private static void scatter(
      LongBatch batch, LongStage stage, Step slice, long seed, int bits, int[] next) {
    LongBlock keys = new LongBlock(batch.keys());
    Longs batchValues = batch.values();
    LongBlock values = batchValues == null ? null : new LongBlock(batchValues);
    for (long at = slice.from(); at < slice.to(); at += LongBlock.LENGTH) {
      int count = (int) Math.min(LongBlock.LENGTH, slice.to() - at);
      int to = (int) at;
      keys.read(at, count);
      takePlaces(keys.array(), keys.first(), count, seed, bits, next, stage.places, to);
      put(keys, count, stage.keys, stage.places, to);
      if (values != null) {
        values.read(at, count);
        put(values, count, stage.values, stage.places, to);
      }
      batch.putMask(to, count);
    }
  }

  private static void takePlaces(
      long[] keys, int first, int count, long seed, int bits, int[] next, int[] places, int to) {
    for (int i = 0; i < count; i++) {
      places[to + i] = next[Hashing.part(keys[first + i], seed, bits)]++;
    }
  }

  private static void put(LongBlock block, int count, DeviceLongs to, int[] places, int at) {
    long[] array = block.array();
    int first = block.first();
    for (int i = 0; i < count; i++) {
      to.set(places[at + i], array[first + i]);
    }
  }
}
