package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.table.RecordScratch;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batch of records of a bulk operation, in scratch memory. */
final class RecordBatch extends BulkKeys<RecordTable> {

  private final RecordStore store;
  private final Step piece;
  private final Columns keys;
  private final @Nullable Columns values;
  private final @Nullable Columns found;
  private final Update update;
  private final BulkOptions options;
  private final RecordScratch scratch;

  /**
   * Creates a batch.
   *
   * @param values values of an insert; null for a lookup
   */
  RecordBatch(
      RecordStore store,
      Step piece,
      Columns keys,
      @Nullable Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options,
      RecordScratch scratch) {
    super(
        store.workersFor(piece.size()),
        scratch,
        values == null && (found != null || options.records() != null) ? MapCodes.VALUES : 0);
    this.store = store;
    this.piece = piece;
    this.keys = keys;
    this.values = values;
    this.update = update;
    this.found = found;
    this.options = options;
    this.scratch = scratch;
  }

  private int count() {
    return (int) piece.size();
  }

  @Override
  List<Step> begin(RecordTable table) {
    scratch.enter(piece.from(), count(), keys, values, options);
    scratch.send(workers, count(), values != null);
    RecordPredicate predicate = options.records();
    if (predicate != null && values != null) {
      store.runOwn("choose", count(), step -> table.chooseGiven(scratch, predicate, step));
    }
    return store.steps(count());
  }

  @Override
  void end() {
    scratch.fetch(workers, count(), found != null);
    scratch.leave(piece.from(), count(), found, options);
  }

  @Override
  Kernel insert(RecordTable used, DeviceLongs counters, Step step, int these, long polls) {
    return used.insert(scratch, counters, step, update.change(used, scratch), these, polls);
  }

  @Override
  Kernel find(RecordTable used, DeviceLongs counters, Step step, int these, long polls) {
    return used.find(scratch, counters, step, these, polls);
  }

  @Override
  Kernel count(RecordTable used, DeviceLongs counters, Step step, int these) {
    return used.count(scratch, counters, step, these);
  }

  @Override
  @Nullable Kernel choose(RecordTable used, DeviceLongs counters, Step step, int these) {
    RecordPredicate predicate = options.records();
    return predicate == null ? null : used.chooseFound(scratch, predicate, counters, step, these);
  }

  /** Replaces the values of all keys that were present, with exclusive access. */
  void replace(RecordTable used) {
    for (boolean second : new boolean[] {false, true}) {
      store.runOwn("replace", count(), step -> used.replace(scratch, step, second));
    }
  }
}
