package dev.gyre.structures.spark;

import dev.gyre.atomics.MemoryExhaustedException;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Memory that Spark grants a task, so that those who work beside it know. It is given back when the
 * task ends, however it does.
 */
final class TaskRoom extends MemoryConsumer {

  /** What a structure needs for a batch at least. */
  static final long LEAST_BYTES = 16L << 20;

  private TaskRoom(TaskContext task, MemoryMode mode) {
    super(task.taskMemoryManager(), mode);
    task.addTaskCompletionListener((TaskCompletionListener) _ -> freeMemory(getUsed()));
  }

  /**
   * Memory off-heap, all of it at once.
   *
   * @param wanted so much, or what there is, if that is enough
   * @throws MemoryExhaustedException if there is too little
   */
  static long offHeap(TaskContext task, long wanted) {
    long granted = new TaskRoom(task, MemoryMode.OFF_HEAP).acquireMemory(wanted);
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

  /** Room for what comes on the heap, taken as it comes. */
  static TaskRoom onHeap(TaskContext task) {
    return new TaskRoom(task, MemoryMode.ON_HEAP);
  }

  /** Takes so many bytes, or none. */
  boolean take(long bytes) {
    long granted = acquireMemory(bytes);
    if (granted < bytes) {
      freeMemory(granted);
    }
    return granted >= bytes;
  }

  /** What the structure holds goes out by itself; it is not asked to in the midst of a batch. */
  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }
}
