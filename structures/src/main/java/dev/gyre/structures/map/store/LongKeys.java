package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/** Numbers of a bulk operation, with their kernels. */
@IntTwin
abstract class LongKeys extends BulkKeys<LongTable> {

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
  final Kernel insert(LongTable used, DeviceLongs counters, Step step, int options, long polls) {
    return used.insert(workers, scratch, counters, step, change, options, polls);
  }

  @Override
  final Kernel find(LongTable used, DeviceLongs counters, Step step, int options, long polls) {
    boolean quiet = workers.onJvm() && (options & MapCodes.QUIESCENT) != 0;
    return quiet && Launches.canOwn(options)
        ? used.findOwned(scratch, counters, step, options)
        : used.find(workers, scratch, counters, step, options, polls);
  }

  @Override
  final Kernel count(LongTable used, DeviceLongs counters, Step step, int options) {
    int mask = step.again() ? 0 : flags & MapCodes.MASKED;
    return used.find(workers, scratch, counters, step, options | mask, 1);
  }

  @Override
  final Batch batch(LongTable used) {
    return scratch.batch();
  }
}
