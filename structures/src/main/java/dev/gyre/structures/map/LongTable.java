package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.LongEntries;
import dev.gyre.kernels.map.MapCodes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A table of keys that are longs, and the kernels that work on it. */
abstract class LongTable extends FixedTable {

  private static final long CACHE_LINE = 64;

  LongTable(long capacity, long slots, long seed) {
    super(capacity, slots, seed);
  }

  abstract Kernel insert(
      LongStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit);

  abstract Kernel find(
      LongStage batch, DeviceLongs counters, Step step, int options, long pollLimit);

  /**
   * An insert by a worker of the JVM that owns the slots up to the last, or all if that is -1; keys
   * that would have to go on behind it are STUCK.
   */
  abstract Kernel insertOwned(
      LongStage batch, DeviceLongs counters, Step step, long last, int policy, int options);

  /** A find by a worker of the JVM where nobody updates. */
  abstract Kernel findOwned(LongStage batch, DeviceLongs counters, Step step, int options);

  abstract Kernel retrieve(LongStage batch, DeviceLongs counters, Step step);

  /** The slot of a key, or {@link LongEntries#NONE}. */
  abstract long slotOf(long key);

  /**
   * Inserts a key that there is room for, unless it is there; returns the slot where it was
   * already, {@link LongEntries#NONE} or {@link LongEntries#STUCK}.
   */
  abstract long insert(long key, long value, long pollLimit);

  /** The key of a slot that is FILLED. */
  abstract long key(long slot);

  /** The value of a slot that is FILLED. */
  abstract long value(long slot);

  /** Replaces a value by what a policy makes of it and of another; returns the value before. */
  abstract long update(long slot, long operand, int policy);

  /** Writes a value where another is expected; returns the value before. */
  abstract long compareAndExchange(long slot, long oldValue, long newValue);

  /** The state of a slot. */
  abstract int state(long slot);

  /**
   * Whether a slot that comes from a file is as inserts leave one: EMPTY and nothing else, or
   * FILLED with a key that is found there. Nobody changes the table.
   */
  boolean isSound(long slot) {
    int state = state(slot);
    return state == MapCodes.EMPTY
        ? key(slot) == 0
        : state == MapCodes.FILLED && slotOf(key(slot)) == slot;
  }

  /** Number of slots to retrieve: all there are, with a side slot where there is one. */
  long places() {
    return slots;
  }

  /** The memories that a find where nobody updates looks at for most keys. */
  List<Memory> memoriesToFind() {
    return memories();
  }

  /**
   * Reads a region of a table from end to end, so that it is in the cache when keys come to it at
   * random; returns something that depends on all of it.
   */
  static long warm(List<Memory> memories, int region, int regions) {
    long sum = 0;
    for (Memory memory : memories) {
      long lines = memory.byteSize() / CACHE_LINE;
      MemorySegment segment = memory.segment();
      for (long i = lines * region / regions; i < lines * (region + 1) / regions; i++) {
        sum += segment.get(ValueLayout.JAVA_LONG, i * CACHE_LINE);
      }
    }
    return sum;
  }
}
