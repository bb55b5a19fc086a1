package dev.gyre.structures.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Memories;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Scratch memory where the keys of a step of a bulk operation are while device functions run. */
final class LongStage implements AutoCloseable {

  private final Memory keyMemory;
  private final Memory valueMemory;
  final Memory outcomeMemory;
  private final Memory[] counterMemories;
  private final DeviceLongs[] counters;

  final int length;
  final DeviceLongs keys;
  final DeviceLongs values;
  final Bytes outcomes;

  /** Read from tables for the sake of the cache; kept so that the read is not left out. */
  long warmed;

  /** The region of each key of the batch, if keys were put in their order. */
  final char[] regions;

  LongStage(int length, int workers, boolean ordered) {
    this.length = length;
    this.counterMemories = new Memory[workers];
    this.counters = new DeviceLongs[workers];
    this.regions = new char[ordered ? length : 0];
    Memory[] made = new Memory[3];
    try {
      made[0] = Memory.ofLongs(length);
      made[1] = Memory.ofLongs(length);
      made[2] = Memory.ofBytes(length);
      for (int i = 0; i < workers; i++) {
        counterMemories[i] = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        counters[i] = DeviceLongs.of(counterMemories[i]);
      }
    } catch (RuntimeException | Error e) {
      Memories.close(Arrays.asList(made));
      Memories.close(Arrays.asList(counterMemories));
      throw e;
    }
    this.keyMemory = made[0];
    this.valueMemory = made[1];
    this.outcomeMemory = made[2];
    this.keys = DeviceLongs.of(keyMemory);
    this.values = DeviceLongs.of(valueMemory);
    this.outcomes = Bytes.of(outcomeMemory);
  }

  /** Whether this will do for a step. */
  boolean holds(int keyCount, int workers, boolean ordered) {
    return length >= keyCount
        && counters.length >= workers
        && (!ordered || regions.length >= keyCount);
  }

  /** A worker's counters, all 0. */
  DeviceLongs freshCounters(int worker) {
    DeviceLongs fresh = counters[worker];
    for (int i = 0; i < MapCodes.COUNTERS; i++) {
      fresh.set(i, 0);
    }
    return fresh;
  }

  /** Sets the counters of outcomes to 0; those of room stay. */
  static void clearOutcomes(DeviceLongs counters) {
    for (int i = 0; i <= MapCodes.STUCK; i++) {
      counters.set(i, 0);
    }
  }

  /** All that this is made of. */
  List<Memory> memories() {
    List<Memory> all = new ArrayList<>(List.of(counterMemories));
    all.addAll(List.of(keyMemory, valueMemory, outcomeMemory));
    return all;
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}
