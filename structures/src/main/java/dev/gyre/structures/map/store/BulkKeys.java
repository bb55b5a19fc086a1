package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.ChooseFound;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a bulk operation where kernels access them, with the kernels. The keys are in scratch
 * memory, to which they are copied step by step or all at once, or in memory of the caller.
 *
 * @param <T> tables of the operation
 */
abstract class BulkKeys<T extends FixedTable> {

  /** Workers of the operation. */
  final Workers workers;

  final Scratch stage;

  /** Options of all kernels, a bit set of MASKED, OUTCOMES and VALUES. */
  final int flags;

  /** Predicate of the operation, or null. */
  final @Nullable EntryPredicate predicate;

  BulkKeys(Workers workers, Scratch stage, int flags, @Nullable EntryPredicate predicate) {
    this.workers = workers;
    this.stage = stage;
    this.flags = flags;
    this.predicate = predicate;
  }

  /** Copies everything that is copied at once; returns the steps of the operation. */
  abstract List<Step> begin(T table);

  /** Copies everything that is copied back at once to the caller. */
  abstract void end();

  /** Copies the keys of a step to where the kernels run, if they are not there. */
  void enter(Step step) {}

  /** Copies results of a step to the caller, unless they are copied at the end. */
  void leave(Step step) {}

  /** Returns whether kernels read elements of the caller in place, which may change at any time. */
  boolean usesInPlace() {
    return false;
  }

  /** Prefetches the slots of a step, if that is faster. */
  void warm(T used, Step step, boolean quiescent) {}

  abstract Kernel insert(T used, DeviceLongs counters, Step step, int options, long polls);

  abstract Kernel find(T used, DeviceLongs counters, Step step, int options, long polls);

  /** Returns a kernel that counts absent keys of a step as ABSENT: as many may be inserted. */
  abstract Kernel count(T used, DeviceLongs counters, Step step, int options);

  /** Returns the keys for the kernels of a predicate. */
  abstract Batch batch(T used);

  /** Applies the predicate, if there is one, to the keys of an insert step. */
  final void chooseGiven(T used, Step step) {
    if (predicate != null) {
      workers.launchOwn(
          new ChooseGiven(batch(used), predicate, step.from(), step.to()), step.size());
    }
  }

  /**
   * Looks up all keys, as a quiescent read if no update runs, otherwise concurrently with updates.
   */
  final void lookUp(Store<T, ?> store, Sums sums) {
    List<Step> steps = begin(store.table());
    Launches launches = store.launches();
    Entry entry = store.lock().enterRead();
    try {
      T used = store.table();
      boolean quiescent = entry.isQuiescent();
      int options = flags + (quiescent ? MapCodes.QUIESCENT : 0);
      workers.run(
          "find",
          steps,
          (worker, step) -> {
            DeviceLongs counters = stage.freshCounters(worker);
            enter(step);
            warm(used, step, quiescent);
            launches.run(
                (these, polls) -> find(used, counters, step, these, polls),
                options,
                step,
                counters);
            sums.add(counters);
            chooseFound(used, worker, step, sums);
            leave(step);
          });
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
    end();
  }

  private void chooseFound(T used, int worker, Step step, Sums sums) {
    if (predicate != null) {
      DeviceLongs counters = stage.freshCounters(worker);
      workers.launchOwn(
          new ChooseFound(
              batch(used), predicate, counters, step.from(), step.to(), workers.options()),
          step.size(),
          counters);
      sums.add(counters);
    }
  }
}
