package dev.gyre.structures.map.work;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Elements of a batch on their way from memory of the caller to scratch memory, or back. */
@IntSpecialized
public final class LongColumn {

  /** Smallest number of elements that a device copies from the caller's memory in place. */
  private static final int MIN_DIRECT = 1 << 15;

  private final Workers workers;
  private final Longs elements;
  private final long from;
  private final int length;
  private final /* DeviceInts */ DeviceLongs numbers;
  private final Memory scratch;

  /**
   * Memory of the caller that the device copies directly, without scratch memory of the host; or
   * null. Determined once: the answer may change during the operation.
   */
  private final @Nullable Memory direct;

  /**
   * Creates the elements of a batch.
   *
   * @param from index of the first
   * @param whole whether all of them are copied
   */
  public LongColumn(
      Workers workers,
      Longs elements,
      long from,
      int length,
      /* DeviceInts */ DeviceLongs scratch,
      boolean whole) {
    this.workers = workers;
    this.elements = elements;
    this.from = from;
    this.length = length;
    this.numbers = scratch;
    this.scratch = scratch.memory();
    Memory memory = elements.memory();
    boolean may = whole && !workers.onJvm() && length >= MIN_DIRECT;
    this.direct = may && memory != null && workers.launcher().copiesInPlace(memory) ? memory : null;
  }

  /** Returns the elements of the batch. */
  public Longs elements() {
    return elements.part(from, length);
  }

  /** Copies the elements of a task to scratch memory. */
  public void enter(TaskRange task) {
    if (direct == null) {
      elements.read(from + task.from(), scratch.segment(), task.from(), task.size());
    }
  }

  /** Copies the elements of a task that another column has just copied. */
  public void enter(TaskRange task, LongColumn same) {
    if (direct == null) {
      long at = task.from() * Long.BYTES;
      MemorySegment.copy(
          same.scratch.segment(), at, scratch.segment(), at, task.size() * Long.BYTES);
    }
  }

  /** Sends scratch memory, or the caller's, to where the kernels run. */
  public void send(TaskRange task) {
    if (direct == null) {
      workers.send(scratch, task.to() * Long.BYTES);
    } else {
      workers.launcher().copyIn(scratch, direct.range(from * Long.BYTES, task.to() * Long.BYTES));
    }
  }

  /** Copies results of kernels to the host. */
  public void fetch(TaskRange task) {
    if (direct == null) {
      workers.readBack(scratch, task.to() * Long.BYTES);
    } else {
      workers.launcher().copyOut(scratch, direct.range(from * Long.BYTES, task.to() * Long.BYTES));
    }
  }

  /** Copies the elements of a task to the caller. */
  public void leave(TaskRange task) {
    if (direct == null) {
      elements.write(from + task.from(), scratch.segment(), task.from(), task.size());
    }
  }

  /** Copies the elements of a task to the caller, except elements of excluded keys. */
  public void leaveTaken(TaskRange task, Bytes outcomes) {
    for (long i = task.from(); i < task.to(); i++) {
      if (outcomes.get(i) != MapCodes.SKIPPED) {
        elements.set(from + i, numbers.get(i));
      }
    }
  }

  /**
   * Copies some elements to the caller from their places in scratch memory.
   *
   * @param taken whether all are copied, including elements of excluded keys
   */
  public void collect(int at, int count, int[] places, boolean taken, Bytes outcomes) {
    if (taken) {
      LongBlock block = new LongBlock(elements());
      block.at(at);
      long[] to = block.array();
      int first = block.first();
      for (int i = 0; i < count; i++) {
        to[first + i] = numbers.get(places[i]);
      }
      block.write(at, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      if (outcomes.get(places[i]) != MapCodes.SKIPPED) {
        elements.set(from + at + i, numbers.get(places[i]));
      }
    }
  }
}
