package dev.gyre.structures.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextSlots;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Memories.Allocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scratch memory for values and outcomes of a bulk operation on text keys. */
final class TextStage implements AutoCloseable {

  private final List<Memory> all;
  final Memory outcomeMemory;
  private final List<DeviceLongs> counters;

  final int length;
  final DeviceLongs values;
  final Bytes outcomes;

  TextStage(int length, int workers) {
    List<Allocation> wanted = new ArrayList<>();
    wanted.add(() -> Memory.ofLongs(length));
    wanted.add(() -> Memory.ofBytes(length));
    wanted.addAll(Collections.nCopies(workers, () -> Memory.ofLongs(MapCodes.STRIPED_COUNTERS)));
    this.all = Memories.make(wanted);
    this.length = length;
    this.outcomeMemory = all.get(1);
    this.values = DeviceLongs.of(all.getFirst());
    this.outcomes = Bytes.of(outcomeMemory);
    this.counters = all.stream().skip(2).map(DeviceLongs::of).toList();
  }

  boolean holds(int keys, int workers) {
    return length >= keys && counters.size() >= workers;
  }

  /** A worker's counters, all 0. */
  DeviceLongs freshCounters(int worker) {
    DeviceLongs fresh = counters.get(worker);
    for (int i = 0; i < TextSlots.COUNTERS; i++) {
      fresh.set(i, 0);
    }
    return fresh;
  }

  /** Brings values and mask of a batch. */
  void enter(int keys, @Nullable Longs from, BulkOptions options) {
    if (from != null) {
      from.read(0, values.memory().segment(), 0, keys);
    }
    boolean[] mask = options.mask();
    outcomeMemory.segment().asSlice(0, keys).fill(TextSlots.PENDING);
    for (int i = 0; mask != null && i < keys; i++) {
      if (!mask[i]) {
        outcomes.set(i, MapCodes.SKIPPED);
      }
    }
  }

  /** Keys of a step for which there was no room are FULL; returns how many. */
  long giveUp(Step step) {
    long full = 0;
    for (long i = step.from(); i < step.to(); i++) {
      if (outcomes.get(i) == TextSlots.PENDING) {
        outcomes.set(i, MapCodes.FULL);
        full++;
      }
    }
    return full;
  }

  /** Takes what an operation wrote to the caller. */
  void leave(int keys, @Nullable Longs found, BulkOptions options) {
    byte[] codes = options.outcomes();
    for (int i = 0; codes != null && i < keys; i++) {
      byte code = outcomes.get(i);
      codes[i] = code == TextSlots.PENDING ? MapCodes.SKIPPED : code;
    }
    if (found != null && options.mask() == null) {
      found.write(0, values.memory().segment(), 0, keys);
    } else if (found != null) {
      for (int i = 0; i < keys; i++) {
        if (outcomes.get(i) != MapCodes.SKIPPED) {
          found.set(i, values.get(i));
        }
      }
    }
  }

  /** All that this is made of. */
  List<Memory> all() {
    return all;
  }

  /** What kernels read and write. */
  Memory[] memories() {
    return new Memory[] {values.memory(), outcomeMemory};
  }

  @Override
  public void close() {
    Memories.close(all);
  }
}
