package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Find;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.ReplaceRecords;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.TaskRange;
import org.jspecify.annotations.Nullable;

/** Records of a bulk operation in scratch memory. */
final class RecordBatch extends RowBatch<RecordTable> {

  private final Update update;

  RecordBatch(
      RecordStore store,
      TaskRange piece,
      Columns keys,
      @Nullable Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options,
      RowScratch scratch) {
    super(store, piece, keys, values, found, scratch.inBatch(options.records()), options, scratch);
    this.update = update;
  }

  @Override
  Batch batch(RecordTable used) {
    return used.batch(scratch);
  }

  @Override
  Kernel insert(RecordTable used, DeviceLongs counters, TaskRange task, int these, long polls) {
    return new Insert(
        used.slots(scratch),
        batch(used),
        counters,
        task.from(),
        task.to(),
        update.change(used, scratch),
        these,
        polls);
  }

  @Override
  Kernel find(RecordTable used, DeviceLongs counters, TaskRange task, int these, long polls) {
    return new Find(
        used.slots(scratch), batch(used), counters, task.from(), task.to(), these, polls);
  }

  /** Replaces the values of all keys that were present, by two launches with exclusive access. */
  void replace(RecordTable used) {
    for (boolean second : new boolean[] {false, true}) {
      workers.run(
          "replace",
          store.tasks(count()),
          (_, task) ->
              workers.launchOwn(
                  new ReplaceRecords(
                      used.slots(scratch), scratch.outcomes, task.from(), task.to(), second),
                  task.size()));
    }
  }
}
