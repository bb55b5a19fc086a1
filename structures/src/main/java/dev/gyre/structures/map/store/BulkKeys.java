package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
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
 * The keys of a bulk operation where kernels work on them, and the kernels that do. Keys are in
 * scratch memory, to which they come step by step or all at once, or where the caller has them.
 *
 * @param <T> the tables that they go to, or are looked up in
 */
abstract class BulkKeys<T extends FixedTable> {

  /** The workers that do the operation. */
  final Workers workers;

  final Scratch stage;

  /** Options of all kernels, sum of MASKED, OUTCOMES and VALUES. */
  final int flags;

  BulkKeys(Workers workers, Scratch stage, int flags) {
    this.workers = workers;
    this.stage = stage;
    this.flags = flags;
  }

  /** Brings what comes all at once; returns the steps that the operation consists of. */
  abstract List<Step> begin(T table);

  /** Gives what goes back all at once to the caller. */
  abstract void end();

  /** Brings the keys of a step to where the kernels run, unless they are there. */
  void enter(Step step) {}

  /** Gives what became of the keys of a step to the caller, unless that goes back at the end. */
  void leave(Step step) {}

  /** Whether kernels read the caller's own elements, which may change at any time. */
  boolean usesInPlace() {
    return false;
  }

  /** Brings the slots for a step into the cache, if that pays. */
  void warm(T used, Step step, boolean quiescent) {}

  abstract Kernel insert(T used, DeviceLongs counters, Step step, int options, long polls);

  abstract Kernel find(T used, DeviceLongs counters, Step step, int options, long polls);

  /** What counts as ABSENT keys of a step that are not there, as many as may be inserted. */
  abstract Kernel count(T used, DeviceLongs counters, Step step, int options);

  /** What leaves keys out that were found, if the caller wants that. */
  abstract @Nullable Kernel choose(T used, DeviceLongs counters, Step step, int options);

  /** Looks up all keys: beside no update if none runs, else beside updates. */
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
    DeviceLongs counters = stage.freshCounters(worker);
    Kernel chosen = choose(used, counters, step, workers.options());
    if (chosen != null) {
      workers.launchOwn(chosen, step.size(), counters);
      sums.add(counters);
    }
  }
}
