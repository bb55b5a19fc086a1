package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.LongEntries;
import dev.gyre.kernels.map.LongOwned;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Memories;
import java.util.List;

/** A table whose slots have a state: the reference and the line layout. */
final class LongSlotTable extends LongTable {
  private final int layout;
  private final List<Memory> memories;
  private final DeviceInts states;
  private final DeviceLongs keys;
  private final DeviceLongs values;
  private final LongOwned owned;

  LongSlotTable(int layout, List<Memory> memories, long capacity, long slots, long seed) {
    super(capacity, slots, seed);
    this.layout = layout;
    this.memories = memories;
    this.states = DeviceInts.of(memories.getFirst());
    this.keys = DeviceLongs.of(memories.get(memories.size() / 2));
    this.values = DeviceLongs.of(memories.getLast());
    this.owned = new LongOwned(layout, states, keys, values, slots, seed);
  }

  static LongSlotTable reference(long capacity, long slots, long seed) {
    List<Memory> all =
        Memories.make(
            () -> Memory.ofInts(slots), () -> Memory.ofLongs(slots), () -> Memory.ofLongs(slots));
    return new LongSlotTable(MapCodes.REFERENCE, all, capacity, slots, seed);
  }

  static LongSlotTable line(long capacity, long slots, long seed) {
    return new LongSlotTable(
        MapCodes.LINE, List.of(Memory.ofLongs(4 * slots)), capacity, slots, seed);
  }

  @Override
  Kernel insert(
      LongStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit) {
    return new LongSlots.Insert(
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
  Kernel find(LongStage batch, DeviceLongs counters, Step step, int options, long pollLimit) {
    return new LongSlots.Find(
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
  Kernel insertOwned(
      LongStage batch, DeviceLongs counters, Step step, long last, int policy, int options) {
    return (thread, shape) ->
        owned.insert(
            last,
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
  Kernel findOwned(LongStage batch, DeviceLongs counters, Step step, int options) {
    return (thread, shape) ->
        owned.find(
            batch.keys, batch.values, batch.outcomes, counters, step.from(), step.to(), options);
  }

  @Override
  Kernel retrieve(LongStage batch, DeviceLongs counters, Step step) {
    return new LongSlots.Retrieve(
        layout, states, keys, values, batch.keys, batch.values, counters, step.from(), step.to());
  }

  @Override
  long slotOf(long key) {
    return LongEntries.find(layout, states, keys, slots, seed, key);
  }

  @Override
  long insert(long key, long value, long pollLimit) {
    return LongEntries.insert(layout, states, keys, values, slots, seed, key, value, pollLimit);
  }

  @Override
  long key(long slot) {
    return keys.get(LongSlots.keyAt(layout, slot));
  }

  @Override
  long value(long slot) {
    return values.loadSeqCst(LongSlots.valueAt(layout, slot));
  }

  @Override
  long update(long slot, long operand, int policy) {
    long at = LongSlots.valueAt(layout, slot);
    return switch (policy) {
      case MapCodes.ADD -> values.fetchAddSeqCst(at, operand);
      case MapCodes.MIN -> values.fetchMinSeqCst(at, operand);
      case MapCodes.MAX -> values.fetchMaxSeqCst(at, operand);
      default -> values.exchangeSeqCst(at, operand);
    };
  }

  @Override
  long compareAndExchange(long slot, long oldValue, long newValue) {
    return values.compareAndExchangeSeqCst(LongSlots.valueAt(layout, slot), oldValue, newValue);
  }

  @Override
  int state(long slot) {
    return states.loadSeqCst(LongSlots.stateAt(layout, slot));
  }

  @Override
  List<Memory> memories() {
    return memories;
  }

  /** Without the states, where keys are elsewhere. */
  @Override
  List<Memory> memoriesToFind() {
    return memories.subList(memories.size() / 2, memories.size());
  }
}
