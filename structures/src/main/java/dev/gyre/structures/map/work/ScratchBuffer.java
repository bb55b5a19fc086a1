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
 * Scratch memory for the keys or results of a bulk operation while device functions run: outcomes
 * and counters per worker, and memories for the type of keys.
 */
public abstract class ScratchBuffer implements AutoCloseable {

  private final List<Memory> all;
  private final DeviceLongs[] counters;

  final int length;

  /** Size of all its memories, in bytes. */
  final long bytes;

  public final Memory outcomeMemory;
  public final Bytes outcomes;

  /**
   * Allocates memory for a number of keys and workers.
   *
   * @param more memories in addition to outcomes and counters; see {@link #more}
   */
  public ScratchBuffer(int length, int workers, List<Allocation> more) {
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

  /** Creates a scratch over memory of the caller, with counters of another one. */
  protected ScratchBuffer(ScratchBuffer lender, Memory outcomes) {
    this.all = List.of();
    this.bytes = 0;
    this.length = 0;
    this.outcomeMemory = outcomes;
    this.outcomes = Bytes.of(outcomes);
    this.counters = lender.counters;
  }

  /** Returns one of the additional memories. */
  public final Memory more(int index) {
    return all.get(index);
  }

  /** Returns whether this suffices for a task; {@code ordered} if its keys are ordered. */
  public boolean holds(int keys, int workers, boolean ordered) {
    return length >= keys && counters.length >= workers;
  }

  /** Returns the counters of a worker, all 0. */
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

  /** Returns all its memories. */
  public List<Memory> all() {
    return all;
  }

  @Override
  public void close() {
    Memories.close(all());
  }
}
