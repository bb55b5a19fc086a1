package dev.gyre.structures.map.work;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Memories.Allocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Scratch memory where the keys of a bulk operation, or what becomes of them, are while device
 * functions run: outcomes, and counters for each worker, beside what the type of the keys asks for.
 */
public abstract class Scratch implements AutoCloseable {

  private final List<Memory> all;
  private final DeviceLongs[] counters;

  final int length;

  /** Of all its memories. */
  final long bytes;

  public final Memory outcomeMemory;
  public final Bytes outcomes;

  /**
   * Memory for so many keys and workers.
   *
   * @param more that is asked for beside outcomes and counters; see {@link #more}
   */
  public Scratch(int length, int workers, List<Allocation> more) {
    List<Allocation> wanted = new ArrayList<>(more);
    wanted.add(() -> Memory.ofBytes(length));
    wanted.addAll(Collections.nCopies(workers, () -> Memory.ofLongs(MapCodes.STRIPED_COUNTERS)));
    this.all = Memories.make(wanted);
    this.bytes = all.stream().mapToLong(Memory::byteSize).sum();
    this.length = length;
    this.outcomeMemory = all.get(more.size());
    this.outcomes = Bytes.of(outcomeMemory);
    this.counters =
        all.stream().skip(more.size() + 1L).map(DeviceLongs::of).toArray(DeviceLongs[]::new);
  }

  /** Borrows counters, for what is not scratch memory but the caller's. */
  protected Scratch(Scratch lender, Memory outcomes) {
    this.all = List.of();
    this.bytes = 0;
    this.length = 0;
    this.outcomeMemory = outcomes;
    this.outcomes = Bytes.of(outcomes);
    this.counters = lender.counters;
  }

  /** A memory of those that were asked for. */
  public final Memory more(int index) {
    return all.get(index);
  }

  /** Whether this will do for a step; {@code ordered} where its keys are to be put in order. */
  public boolean holds(int keys, int workers, boolean ordered) {
    return length >= keys && counters.length >= workers;
  }

  /** A worker's counters, all 0. */
  public final DeviceLongs freshCounters(int worker) {
    DeviceLongs fresh = counters[worker];
    clear(fresh);
    return fresh;
  }

  /** Sets counters to 0. */
  public static void clear(DeviceLongs counters) {
    for (int i = 0; i < MapCodes.COUNTERS; i++) {
      counters.set(i, 0);
    }
  }

  /** All that this is made of. */
  public List<Memory> all() {
    return all;
  }

  @Override
  public void close() {
    Memories.close(all());
  }
}
