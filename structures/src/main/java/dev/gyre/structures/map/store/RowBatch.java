package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.work.TaskRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Batch of texts or records of a bulk operation, with values in scratch memory. The outcome of each
 * key is written there, and excludes keys that have one.
 *
 * @param <T> tables of the operation
 */
abstract class RowBatch<T extends FixedTable> extends BulkKeys<T> {

  final RowStore<T> store;
  final RowScratch scratch;
  private final TaskRange piece;
  private final @Nullable Columns keys;
  private final @Nullable Columns values;
  private final @Nullable Columns found;
  private final BulkOptions options;

  /**
   * Creates a batch.
   *
   * @param piece range of the keys
   * @param keys columns with keys that are copied to scratch memory, or null
   * @param values values of an insert; null for a lookup
   * @param found destination of values, or null
   */
  RowBatch(
      RowStore<T> store,
      TaskRange piece,
      @Nullable Columns keys,
      @Nullable Columns values,
      @Nullable Columns found,
      @Nullable EntryPredicate predicate,
      BulkOptions options,
      RowScratch scratch) {
    super(
        store.workersFor(piece.size()),
        scratch,
        (MapCodes.MASKED | MapCodes.OUTCOMES)
            + (values == null && (found != null || predicate != null) ? MapCodes.VALUES : 0),
        predicate);
    this.store = store;
    this.piece = piece;
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.scratch = scratch;
  }

  final long count() {
    return piece.size();
  }

  @Override
  List<TaskRange> begin(T table) {
    scratch.enter(piece, keys, values, options);
    scratch.send(workers, count(), values != null);
    List<TaskRange> tasks = store.tasks(count());
    if (predicate != null && values != null) {
      workers.run("choose", tasks, (_, task) -> chooseGiven(table, task));
    }
    return tasks;
  }

  @Override
  final Kernel count(T used, DeviceLongs counters, TaskRange task, int these) {
    return find(used, counters, task, these | MapCodes.MASKED, 1);
  }

  @Override
  final void end() {
    scratch.fetch(workers, count(), found != null);
    scratch.leave(piece, found, options);
  }
}
