package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.FilterFound;
import dev.gyre.kernels.map.FilterInserts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a bulk operation where kernels access them, with the kernels. The keys are in scratch
 * memory, to which they are copied task by task or all at once, or in memory of the caller.
 *
 * @param <T> tables of the operation
 */
abstract class BulkKeys<T extends FixedTable> {

  /** Workers of the operation. */
  final Workers workers;

  final ScratchBuffer buffer;

  /** Options of all kernels, a bit set of MASKED, OUTCOMES and VALUES. */
  final int flags;

  /** Predicate of the operation, or null. */
  final @Nullable EntryPredicate predicate;

  BulkKeys(Workers workers, ScratchBuffer buffer, int flags, @Nullable EntryPredicate predicate) {
    this.workers = workers;
    this.buffer = buffer;
    this.flags = flags;
    this.predicate = predicate;
  }

  /** Copies everything that is copied at once; returns the tasks of the operation. */
  abstract List<TaskRange> begin(T table);

  /** Copies everything that is copied back at once to the caller. */
  abstract void end();

  /** Copies the keys of a task to where the kernels run, if they are not there. */
  void enter(TaskRange task) {}

  /** Copies results of a task to the caller, unless they are copied at the end. */
  void leave(TaskRange task) {}

  /** Returns whether kernels read elements of the caller in place, which may change at any time. */
  boolean usesInPlace() {
    return false;
  }

  /** Prefetches the slots of a task, if that is faster. */
  void warm(T used, TaskRange task, boolean quiescent) {}

  abstract Kernel insert(T used, DeviceLongs counters, TaskRange task, int options, long polls);

  abstract Kernel find(T used, DeviceLongs counters, TaskRange task, int options, long polls);

  /** Returns a kernel that counts absent keys of a task as ABSENT: as many may be inserted. */
  abstract Kernel count(T used, DeviceLongs counters, TaskRange task, int options);

  /** Returns the keys for the kernels of a predicate. */
  abstract Batch batch(T used);

  /** Applies the predicate, if there is one, to the keys of an insert task. */
  final void chooseGiven(T used, TaskRange task) {
    if (predicate != null) {
      workers.launchOwn(
          new FilterInserts(batch(used), predicate, task.from(), task.to()), task.size());
    }
  }

  /**
   * Looks up all keys, as a quiescent read if no update runs, otherwise concurrently with updates.
   */
  final void lookUp(Store<T, ?> store, OutcomeCounts sums) {
    List<TaskRange> tasks = begin(store.table());
    Entry entry = store.lock().enterRead();
    try {
      boolean quiescent = entry.isQuiescent();
      lookUp(store, store.table(), tasks, quiescent ? MapCodes.QUIESCENT : 0, sums);
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
    end();
  }

  /** Removes all keys, concurrently with other updates. */
  final void remove(Store<T, ?> store, OutcomeCounts sums) {
    List<TaskRange> tasks = begin(store.table());
    Entry entry = store.lock().enterUpdate();
    try {
      T used = store.table();
      OutcomeCounts those = new OutcomeCounts();
      boolean known = false;
      try {
        lookUp(store, used, tasks, MapCodes.REMOVES, those);
        known = true;
      } finally {
        store.countRemoved(used, those, known);
        sums.add(those.finds());
        sums.add(MapCodes.STUCK, those.of(MapCodes.STUCK));
      }
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
      store.recount();
    }
    end();
  }

  private void lookUp(
      Store<T, ?> store, T used, List<TaskRange> tasks, int more, OutcomeCounts sums) {
    Launches launches = store.launches();
    boolean quiescent = (more & MapCodes.QUIESCENT) != 0;
    int options = flags | more;
    workers.run(
        "find",
        tasks,
        (worker, task) -> {
          DeviceLongs counters = buffer.freshCounters(worker);
          enter(task);
          warm(used, task, quiescent);
          launches.run(
              (these, polls) -> find(used, counters, task, these, polls), options, task, counters);
          sums.add(counters);
          chooseFound(used, worker, task, sums);
          leave(task);
        });
  }

  private void chooseFound(T used, int worker, TaskRange task, OutcomeCounts sums) {
    if (predicate != null) {
      DeviceLongs counters = buffer.freshCounters(worker);
      workers.launchOwn(
          new FilterFound(
              batch(used), predicate, counters, task.from(), task.to(), workers.options()),
          task.size(),
          counters);
      sums.add(counters);
    }
  }
}
