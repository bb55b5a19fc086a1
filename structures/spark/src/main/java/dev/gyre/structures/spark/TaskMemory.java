package dev.gyre.structures.spark;

import dev.gyre.atomics.MemoryExhaustedException;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Memory that Spark grants a task, so that Spark knows about it. It is returned when the task ends
 * in any way.
 */
final class TaskMemory extends MemoryConsumer {

  /** Smallest memory of a structure, for one batch. */
  static final long LEAST_BYTES = 16L << 20;

  private TaskMemory(TaskContext task, MemoryMode mode) {
    super(task.taskMemoryManager(), mode);
    task.addTaskCompletionListener((TaskCompletionListener) _ -> freeMemory(getUsed()));
  }

  /**
   * Takes memory off-heap, all at once.
   *
   * @param wanted largest number of bytes
   * @throws MemoryExhaustedException if too little is available
   */
  static long offHeap(TaskContext task, long wanted) {
    long granted = new TaskMemory(task, MemoryMode.OFF_HEAP).acquireMemory(wanted);
    if (granted < Math.min(wanted, LEAST_BYTES)) {
      throw new MemoryExhaustedException(
          ("Spark has %d bytes of off-heap memory for a task that wants %d: raise"
                  + " spark.memory.offHeap.size, or have fewer tasks at a time")
              .formatted(granted, wanted),
          wanted,
          null);
    }
    return granted;
  }

  /** Returns memory on the heap, which is taken on demand. */
  static TaskMemory onHeap(TaskContext task) {
    return new TaskMemory(task, MemoryMode.ON_HEAP);
  }

  /** Takes a number of bytes, or none; returns whether it did. */
  boolean take(long bytes) {
    long granted = acquireMemory(bytes);
    if (granted < bytes) {
      freeMemory(granted);
    }
    return granted >= bytes;
  }

  /**
   * Returns 0: the structure writes itself out when it is full, and cannot do so during a batch.
   */
  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }
}
