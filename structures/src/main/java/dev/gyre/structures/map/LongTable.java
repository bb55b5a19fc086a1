package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.LongEntries;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A table of fixed size: its memory, the kernels that work on it, and how full it is. */
abstract class LongTable implements AutoCloseable {

  private static final long CACHE_LINE = 64;

  final long capacity;
  final long slots;
  final long seed;

  /** Keys there are, and keys that running inserts may still add; never more than the capacity. */
  private final AtomicLong taken = new AtomicLong();

  LongTable(long capacity, long slots, long seed) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
  }

  abstract Kernel insert(
      LongStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit);

  abstract Kernel find(
      LongStage batch, DeviceLongs counters, Step step, int options, long pollLimit);

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

  /** The memories, in which all bytes are 0 if the table is empty. */
  abstract List<Memory> memories();

  /** Number of slots to retrieve: all there are, with a side slot where there is one. */
  long places() {
    return slots;
  }

  /** Bytes that the table takes. */
  long byteSize() {
    return memories().stream().mapToLong(Memory::byteSize).sum();
  }

  /**
   * Reads a region of the table from end to end, so that it is in the cache when keys come to it at
   * random; returns something that depends on all of it.
   */
  long warm(int region, int regions) {
    long sum = 0;
    for (Memory memory : memories()) {
      long lines = memory.byteSize() / CACHE_LINE;
      MemorySegment segment = memory.segment();
      for (long i = lines * region / regions; i < lines * (region + 1) / regions; i++) {
        sum += segment.get(ValueLayout.JAVA_LONG, i * CACHE_LINE);
      }
    }
    return sum;
  }

  /** Takes room for keys; returns whether there was as much. */
  boolean take(long keys) {
    long before = taken.get();
    while (before + keys <= capacity) {
      long seen = taken.compareAndExchange(before, before + keys);
      if (seen == before) {
        return true;
      }
      before = seen;
    }
    return false;
  }

  void giveBack(long keys) {
    taken.addAndGet(-keys);
  }

  long taken() {
    return taken.get();
  }

  void setTaken(long keys) {
    taken.set(keys);
  }

  @Override
  public void close() {
    memories().forEach(Memory::close);
  }
}
