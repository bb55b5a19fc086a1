package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.PackedEntries;
import dev.gyre.kernels.map.PackedOwned;
import dev.gyre.kernels.map.PackedSlots;
import java.util.List;

/** A table whose slots are single words. */
final class PackedTable extends IntTable {
  private final Memory memory;
  private final DeviceLongs words;
  private final PackedOwned owned;

  PackedTable(long capacity, long slots, long seed) {
    this(Memory.ofLongs(PackedSlots.words(slots)), capacity, slots, seed);
  }

  PackedTable(Memory memory, long capacity, long slots, long seed) {
    super(capacity, slots, seed);
    this.memory = memory;
    this.words = DeviceLongs.of(memory);
    this.owned = new PackedOwned(words, slots, seed);
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
        options,
        pollLimit);
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
  Kernel insertOwned(
      IntStage batch, DeviceLongs counters, Step step, long last, int policy, int options) {
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
  Kernel findOwned(IntStage batch, DeviceLongs counters, Step step, int options) {
    return (thread, shape) ->
        owned.find(
            batch.keys, batch.values, batch.outcomes, counters, step.from(), step.to(), options);
  }

  @Override
  Kernel retrieve(IntStage batch, DeviceLongs counters, Step step) {
    return new PackedSlots.Retrieve(
        words, slots, batch.keys, batch.values, counters, step.from(), step.to());
  }

  @Override
  long slotOf(int key) {
    return PackedEntries.find(words, slots, seed, key);
  }

  @Override
  long insert(int key, int value, long pollLimit) {
    return PackedEntries.insert(words, slots, seed, key, value);
  }

  @Override
  int key(long slot) {
    return PackedEntries.key(words, slot, slots);
  }

  @Override
  int value(long slot) {
    return PackedEntries.value(words, slot);
  }

  @Override
  int update(long slot, int operand, int policy) {
    return PackedEntries.update(words, slot, operand, policy);
  }

  @Override
  int compareAndExchange(long slot, int oldValue, int newValue) {
    return PackedEntries.compareAndExchange(words, slot, oldValue, newValue);
  }

  @Override
  int state(long slot) {
    return words.loadSeqCst(slot) == MapCodes.EMPTY ? MapCodes.EMPTY : MapCodes.FILLED;
  }

  /** An EMPTY slot is a word of 0: there is nothing else in it. */
  @Override
  boolean isSound(long slot) {
    return state(slot) == MapCodes.EMPTY || slotOf(key(slot)) == slot;
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
