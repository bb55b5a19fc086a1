package dev.gyre.structures.map.work;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A batch's elements of the caller's on their way to scratch memory, or back. */
@IntTwin
public final class LongColumn {

  /** Fewest elements that a device copies from where the caller has them. */
  private static final int MIN_DIRECT = 1 << 15;

  private final Workers workers;
  private final Longs elements;
  private final long from;
  private final int length;
  private final /* DeviceInts */ DeviceLongs numbers;
  private final Memory scratch;

  /**
   * The caller's memory that the device copies from or to, past the scratch memory of the host; or
   * null. Asked once: a memory may become one that is copied in place in the middle.
   */
  private final @Nullable Memory direct;

  /**
   * Elements of a batch.
   *
   * @param from the first
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
    this.direct = may && memory != null && workers.copiesInPlace(memory) ? memory : null;
  }

  /** The elements of the batch. */
  public Longs elements() {
    return elements.part(from, length);
  }

  /** Brings the elements of a step to scratch memory. */
  public void enter(Step step) {
    if (direct == null) {
      elements.read(from + step.from(), scratch.segment(), step.from(), step.size());
    }
  }

  /** The same of elements that another column has just brought. */
  public void enter(Step step, LongColumn same) {
    if (direct == null) {
      long at = step.from() * Long.BYTES;
      MemorySegment.copy(
          same.scratch.segment(), at, scratch.segment(), at, step.size() * Long.BYTES);
    }
  }

  /** Sends scratch memory, or the caller's, to where the kernels run. */
  public void send(Step step) {
    if (direct == null) {
      workers.send(scratch, step.to() * Long.BYTES);
    } else {
      workers.send(scratch, direct, from * Long.BYTES, step.to() * Long.BYTES);
    }
  }

  /** Has come back what kernels wrote. */
  public void fetch(Step step) {
    if (direct == null) {
      workers.readBack(scratch, step.to() * Long.BYTES);
    } else {
      workers.readBack(scratch, direct, from * Long.BYTES, step.to() * Long.BYTES);
    }
  }

  /** Gives the elements of a step to the caller. */
  public void leave(Step step) {
    if (direct == null) {
      elements.write(from + step.from(), scratch.segment(), step.from(), step.size());
    }
  }

  /** The same of those that were not left out. */
  public void leaveTaken(Step step, Bytes outcomes) {
    for (long i = step.from(); i < step.to(); i++) {
      if (outcomes.get(i) != MapCodes.SKIPPED) {
        elements.set(from + i, numbers.get(i));
      }
    }
  }

  /**
   * Gives some elements to the caller from their places in scratch memory.
   *
   * @param taken whether all are given, and not those alone that were not left out
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
