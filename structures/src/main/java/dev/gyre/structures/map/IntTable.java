package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A table of fixed size: its memory, the kernels that work on it, and how full it is. */
abstract sealed class IntTable implements AutoCloseable {

  /** The hash scales 32 bits to the slots. */
  static final long MAX_SLOTS = 1L << 32;

  private static final long CACHE_LINE = 64;

  final long capacity;
  final long slots;
  final long seed;

  /** Keys there are, and keys that running inserts may still add; never more than the capacity. */
  private final AtomicLong taken = new AtomicLong();

  private IntTable(long capacity, long slots, long seed) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
  }

  static IntTable allocate(Layout layout, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    return switch (layout) {
      case REFERENCE -> Stated.reference(capacity, slots, seed);
      case LINE -> Stated.line(capacity, slots, seed);
      case PACKED -> new Packed(capacity, slots, seed);
    };
  }

  abstract Kernel insert(
      IntStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit);

  abstract Kernel find(
      IntStage batch, DeviceLongs counters, Step step, int options, long pollLimit);

  abstract Kernel retrieve(IntStage batch, DeviceLongs counters, Step step);

  /** The memories, in which all bytes are 0 if the table is empty. */
  abstract List<Memory> memories();

  /** Number of slots to retrieve: all there are, with a side slot. */
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

  private static final class Stated extends IntTable {
    private final int layout;
    private final List<Memory> memories;
    private final DeviceInts states;
    private final DeviceInts keys;
    private final DeviceInts values;

    private Stated(int layout, List<Memory> memories, long capacity, long slots, long seed) {
      super(capacity, slots, seed);
      this.layout = layout;
      this.memories = memories;
      this.states = DeviceInts.of(memories.getFirst());
      this.keys = DeviceInts.of(memories.get(memories.size() / 2));
      this.values = DeviceInts.of(memories.getLast());
    }

    static Stated reference(long capacity, long slots, long seed) {
      Memory states = Memory.ofInts(slots);
      try {
        Memory keys = Memory.ofInts(slots);
        try {
          Memory values = Memory.ofInts(slots);
          List<Memory> all = List.of(states, keys, values);
          return new Stated(MapCodes.REFERENCE, all, capacity, slots, seed);
        } catch (RuntimeException e) {
          keys.close();
          throw e;
        }
      } catch (RuntimeException e) {
        states.close();
        throw e;
      }
    }

    static Stated line(long capacity, long slots, long seed) {
      return new Stated(MapCodes.LINE, List.of(Memory.ofInts(4 * slots)), capacity, slots, seed);
    }

    @Override
    Kernel insert(
        IntStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit) {
      return new IntSlots.Insert(
          layout,
          states,
          keys,
          values,
          slots,
          seed,
          batch.keys,
          batch.values,
          batch.outcomes,
          counters,
          step.from(),
          step.to(),
          policy,
          options,
          pollLimit);
    }

    @Override
    Kernel find(IntStage batch, DeviceLongs counters, Step step, int options, long pollLimit) {
      return new IntSlots.Find(
          layout,
          states,
          keys,
          values,
          slots,
          seed,
          batch.keys,
          batch.values,
          batch.outcomes,
          counters,
          step.from(),
          step.to(),
          options,
          pollLimit);
    }

    @Override
    Kernel retrieve(IntStage batch, DeviceLongs counters, Step step) {
      return new IntSlots.Retrieve(
          layout, states, keys, values, batch.keys, batch.values, counters, step.from(), step.to());
    }

    @Override
    List<Memory> memories() {
      return memories;
    }
  }

  private static final class Packed extends IntTable {
    private final Memory memory;
    private final DeviceLongs words;

    Packed(long capacity, long slots, long seed) {
      super(capacity, slots, seed);
      this.memory = Memory.ofLongs(PackedSlots.words(slots));
      this.words = DeviceLongs.of(memory);
    }

    @Override
    Kernel insert(
        IntStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit) {
      return new PackedSlots.Insert(
          words,
          slots,
          seed,
          batch.keys,
          batch.values,
          batch.outcomes,
          counters,
          step.from(),
          step.to(),
          policy,
          options);
    }

    @Override
    Kernel find(IntStage batch, DeviceLongs counters, Step step, int options, long pollLimit) {
      return new PackedSlots.Find(
          words,
          slots,
          seed,
          batch.keys,
          batch.values,
          batch.outcomes,
          counters,
          step.from(),
          step.to(),
          options);
    }

    @Override
    Kernel retrieve(IntStage batch, DeviceLongs counters, Step step) {
      return new PackedSlots.Retrieve(
          words, slots, batch.keys, batch.values, counters, step.from(), step.to());
    }

    @Override
    List<Memory> memories() {
      return List.of(memory);
    }

    @Override
    long places() {
      return PackedSlots.words(slots);
    }
  }
}
