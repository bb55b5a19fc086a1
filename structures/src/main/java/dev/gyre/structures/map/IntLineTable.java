package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.IntLineEntries;
import dev.gyre.kernels.map.IntLineOwned;
import dev.gyre.kernels.map.IntLines;
import java.util.List;

/** A table for ints whose slots are lines of two words. */
final class IntLineTable extends IntTable {
  private final Memory memory;
  private final DeviceLongs words;
  private final IntLineOwned owned;

  IntLineTable(long capacity, long slots, long seed) {
    this(Memory.ofLongs(IntLines.words(slots)), capacity, slots, seed);
  }

  IntLineTable(Memory memory, long capacity, long slots, long seed) {
    super(capacity, slots, seed);
    this.memory = memory;
    this.words = DeviceLongs.of(memory);
    this.owned = new IntLineOwned(words, slots, seed);
  }

  @Override
  Kernel insert(
      IntStage batch, DeviceLongs counters, Step step, int policy, int options, long pollLimit) {
    return new IntLines.Insert(
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
    return new IntLines.Find(
        words,
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
    return new IntLines.Retrieve(words, batch.keys, batch.values, counters, step.from(), step.to());
  }

  @Override
  long slotOf(int key) {
    return IntLineEntries.find(words, slots, seed, key);
  }

  @Override
  long insert(int key, int value, long pollLimit) {
    return IntLineEntries.insert(words, slots, seed, key, value, pollLimit);
  }

  @Override
  int key(long slot) {
    return IntLineEntries.key(words, slot);
  }

  @Override
  int value(long slot) {
    return IntLineEntries.value(words, slot);
  }

  @Override
  int update(long slot, int operand, int policy) {
    return IntLineEntries.update(words, slot, operand, policy);
  }

  @Override
  int compareAndExchange(long slot, int oldValue, int newValue) {
    return IntLineEntries.compareAndExchange(words, slot, oldValue, newValue);
  }

  @Override
  int state(long slot) {
    return IntLineEntries.state(words, slot);
  }

  @Override
  boolean isSound(long slot) {
    return super.isSound(slot) && IntLineEntries.isWhole(words, slot);
  }

  @Override
  List<Memory> memories() {
    return List.of(memory);
  }
}
