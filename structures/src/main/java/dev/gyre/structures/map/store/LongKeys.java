package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/** Numbers of a bulk operation, with their kernels. */
@IntSpecialized
abstract class LongKeys extends BulkKeys<LongTable> {

  /**
   * Arguments of a bulk operation.
   *
   * @param values values of an insert; null for a lookup
   * @param change how an insert changes the values of present keys
   * @param found destination of present values, or null
   */
  record Operands(
      Longs keys,
      @Nullable Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {

    /** Returns whether the keys are their own values. */
    @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
    boolean isSet() {
      return values == keys;
    }

    /** Returns the options of kernels that work on copies in scratch memory. */
    int flags() {
      if (values != null) {
        boolean outcomes = options.outcomes() != null || found != null;
        return (options.takeAll() ? 0 : MapCodes.MASKED) + (outcomes ? MapCodes.OUTCOMES : 0);
      }
      boolean chosen = options.entries() != null;
      return (options.isMasked() ? MapCodes.MASKED : 0)
          + (options.outcomes() != null || chosen ? MapCodes.OUTCOMES : 0)
          + (found != null || chosen ? MapCodes.VALUES : 0);
    }

    /** Returns the options of kernels that work on memory of the caller on the device. */
    int flagsInPlace() {
      boolean outcomes = options.outcomes() != null;
      return values == null || found == null || outcomes ? flags() : flags() - MapCodes.OUTCOMES;
    }
  }

  final LongScratch scratch;
  final Change change;

  LongKeys(
      Workers workers,
      Change change,
      @Nullable EntryPredicate predicate,
      int flags,
      LongScratch scratch) {
    super(workers, scratch, flags, predicate);
    this.scratch = scratch;
    this.change = change;
  }

  @Override
  final Kernel insert(
      LongTable used, DeviceLongs counters, TaskRange task, int options, long polls) {
    return used.inserts(workers, change)
        .insert(scratch.range(counters, task), change.policy(), options, polls);
  }

  @Override
  final Kernel find(LongTable used, DeviceLongs counters, TaskRange task, int options, long polls) {
    boolean quiet = workers.onJvm() && (options & MapCodes.QUIESCENT) != 0;
    return quiet && Launches.canBeExclusive(options)
        ? used.findExclusive(scratch, counters, task, options)
        : used.code(workers).find(scratch.range(counters, task), options, polls);
  }

  @Override
  final Kernel count(LongTable used, DeviceLongs counters, TaskRange task, int options) {
    int mask = task.again() ? 0 : flags & MapCodes.MASKED;
    return used.code(workers).find(scratch.range(counters, task), options | mask, 1);
  }

  @Override
  final Batch batch(LongTable used) {
    return scratch.batch();
  }
}
