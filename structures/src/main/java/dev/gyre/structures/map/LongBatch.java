package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the caller's keys on its way through a stage.
 *
 * <p>A table that is larger than the cache is slow to reach at random. Where a batch is large
 * enough for it to pay, its keys are put in the order of the regions of the table in which they
 * live, as in a radix sort, so that a worker stays in one region for a while. Hashes rise with
 * slots, so the order suits a table of any size.
 */
final class LongBatch {

  /** Keys of a step. */
  static final int STEP = 1 << 12;

  /** Most keys of a batch. */
  static final int MAX_LENGTH = 1 << 24;

  /** Most keys of a batch that is not put in order. */
  static final int MAX_UNORDERED = 1 << 18;

  /** Most keys of a step that stays in one region. */
  private static final int REGION_STEP = 1 << 16;

  private static final long REGION_BYTES = 1 << 19;
  private static final int MAX_REGIONS = 1 << 9;
  private static final long KIB = 1 << 10;
  private static final int MIN_KEYS_PER_REGION = 1 << 7;
  private static final int BLOCK = 1 << 10;

  /** A region is warmed for at least so many keys per KiB. */
  private static final int WARM_KEYS_PER_KIB = 8;

  private final Longs keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final BulkOptions options;
  private final long from;
  private final int length;
  private final LongStage stage;
  private final int regionBits;
  private final boolean ordered;

  LongBatch(
      Longs keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      long from,
      int length,
      LongStage stage,
      int regionBits) {
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.from = from;
    this.length = length;
    this.stage = stage;
    this.regionBits = regionBits;
    this.ordered = regionBits > 0;
  }

  /** Brings the region of a step into the cache, if there are keys enough for it to pay. */
  void warm(LongTable table, Step step) {
    if (ordered && step.size() * KIB >= WARM_KEYS_PER_KIB * (table.byteSize() >> regionBits)) {
      int region = region(stage.keys.get(step.from()), table.seed, Long.SIZE - regionBits);
      stage.warmed = table.warm(region, 1 << regionBits);
    }
  }

  /** Number of keys, of those left, that the next batch takes. */
  static int lengthFor(LongTable table, long left) {
    long most = Math.clamp(table.slots / 2, MAX_UNORDERED, MAX_LENGTH);
    long length = Math.min(left, most);
    return (int) (regionBits(table, length) == 0 ? Math.min(length, MAX_UNORDERED) : length);
  }

  /** How many bits of the hash tell regions apart; 0 if keys are better left as they are. */
  static int regionBits(LongTable table, long length) {
    long regions =
        Math.min(
            Math.min(table.byteSize() / REGION_BYTES, MAX_REGIONS), length / MIN_KEYS_PER_REGION);
    return regions < 16 ? 0 : 63 - Long.numberOfLeadingZeros(regions);
  }

  /** Puts the keys in order, if they are to be; returns the steps that the batch consists of. */
  List<Step> begin(Workers workers, LongTable table) {
    return ordered ? order(workers, table.seed, regionBits) : Step.cut(0, length, STEP);
  }

  private List<Step> order(Workers workers, long seed, int bits) {
    int regions = 1 << bits;
    int shift = Long.SIZE - bits;
    List<Step> slices = Step.cut(0, length, Math.ceilDiv(length, workers.count()));
    int[][] places = new int[slices.size()][];
    workers.run(
        "count regions",
        slices,
        (worker, slice) -> places[slices.indexOf(slice)] = histogram(slice, seed, shift, regions));
    List<Step> steps = new ArrayList<>();
    int at = 0;
    for (int region = 0; region < regions; region++) {
      int begin = at;
      for (int[] of : places) {
        int count = of[region];
        of[region] = at;
        at += count;
      }
      Step.cut(begin, at, REGION_STEP, steps);
    }
    workers.run(
        "order keys",
        slices,
        (worker, slice) -> scatter(slice, seed, shift, places[slices.indexOf(slice)]));
    return steps;
  }

  private static int region(long key, long seed, int shift) {
    return (int) (Hashing.hash(key, seed) >>> shift);
  }

  private int[] histogram(Step slice, long seed, int shift, int regions) {
    int[] counts = new int[regions];
    long[] block = new long[BLOCK];
    for (long at = slice.from(); at < slice.to(); at += BLOCK) {
      int count = (int) Math.min(BLOCK, slice.to() - at);
      keys.read(from + at, block, count);
      for (int i = 0; i < count; i++) {
        counts[region(block[i], seed, shift)]++;
      }
    }
    return counts;
  }

  /** A loop for each array, since each is then short enough for a compiler to unroll. */
  private void scatter(Step slice, long seed, int shift, int[] places) {
    long[] block = new long[BLOCK];
    int[] placeBlock = new int[BLOCK];
    boolean[] mask = options.mask();
    boolean goesBack = goesBack();
    for (long at = slice.from(); at < slice.to(); at += BLOCK) {
      int count = (int) Math.min(BLOCK, slice.to() - at);
      keys.read(from + at, block, count);
      takePlaces(block, count, seed, shift, places, placeBlock);
      put(block, count, placeBlock, stage.keys);
      if (values != null) {
        values.read(from + at, block, count);
        put(block, count, placeBlock, stage.values);
      }
      for (int i = 0; mask != null && i < count; i++) {
        stage.outcomes.set(placeBlock[i], code(mask[(int) (from + at + i)]));
      }
      if (goesBack) {
        putOrigins((int) at, count, placeBlock, stage.origins);
      }
    }
  }

  private static void takePlaces(
      long[] block, int count, long seed, int shift, int[] places, int[] placeBlock) {
    for (int i = 0; i < count; i++) {
      placeBlock[i] = places[region(block[i], seed, shift)]++;
    }
  }

  private static void put(long[] block, int count, int[] placeBlock, DeviceLongs memory) {
    for (int i = 0; i < count; i++) {
      memory.set(placeBlock[i], block[i]);
    }
  }

  private static void putOrigins(int first, int count, int[] placeBlock, int[] origins) {
    for (int i = 0; i < count; i++) {
      origins[placeBlock[i]] = first + i;
    }
  }

  /** A start for a key's outcome: SKIPPED, or anything else. */
  private static byte code(boolean chosen) {
    return chosen ? MapCodes.ABSENT : MapCodes.SKIPPED;
  }

  private boolean goesBack() {
    return found != null || options.outcomes() != null;
  }

  /** Brings the keys of a step to the stage, unless they are there. */
  void enter(Step step) {
    if (!ordered) {
      keys.read(from + step.from(), stage.keys.memory().segment(), step.from(), step.size());
      if (values != null) {
        values.read(from + step.from(), stage.values.memory().segment(), step.from(), step.size());
      }
      boolean[] mask = options.mask();
      if (mask != null) {
        for (long i = step.from(); i < step.to(); i++) {
          stage.outcomes.set(i, code(mask[(int) (from + i)]));
        }
      }
    }
  }

  /** Takes what a step gave back to the caller, if the caller asked for it. */
  void leave(Step step) {
    byte[] outcomes = options.outcomes();
    if (ordered && goesBack()) {
      for (long i = step.from(); i < step.to(); i++) {
        long origin = from + stage.origins[(int) i];
        if (outcomes != null) {
          outcomes[(int) origin] = stage.outcomes.get(i);
        }
        if (found != null && (options.mask() == null || stage.outcomes.get(i) != 0)) {
          found.set(origin, stage.values.get(i));
        }
      }
    } else if (!ordered) {
      if (outcomes != null) {
        MemorySegment.copy(
            stage.outcomes.segment(),
            ValueLayout.JAVA_BYTE,
            step.from(),
            outcomes,
            (int) (from + step.from()),
            (int) step.size());
      }
      if (found != null) {
        leaveValues(step, found);
      }
    }
  }

  private void leaveValues(Step step, Longs out) {
    if (options.mask() == null) {
      out.write(from + step.from(), stage.values.memory().segment(), step.from(), step.size());
    } else {
      for (long i = step.from(); i < step.to(); i++) {
        if (stage.outcomes.get(i) != MapCodes.SKIPPED) {
          out.set(from + i, stage.values.get(i));
        }
      }
    }
  }
}
