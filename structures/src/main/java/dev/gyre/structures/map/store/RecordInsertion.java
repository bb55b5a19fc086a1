package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.table.RecordScratch;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert of records; see {@link Insertion}. Values that are to be replaced as a whole are,
 * when all keys are in the table, by two launches beside which nothing else runs.
 */
final class RecordInsertion extends Insertion<RecordTable> {

  private final RecordStore store;
  private final int count;
  private final RecordScratch stage;
  private final Update update;
  private final Sums sums;

  private RecordInsertion(
      RecordStore store, int count, RecordScratch stage, Update update, Sums sums) {
    super(store, store.workersFor(count), stage, sums);
    this.sums = sums;
    this.store = store;
    this.count = count;
    this.stage = stage;
    this.update = update;
    store.steps(count).forEach(this::addLeft);
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  static InsertCounts run(
      RecordStore store,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options) {
    BulkOptions _ = options.skipAll(keys.length());
    store.settle();
    Sums sums = new Sums();
    try {
      for (Step piece : Step.cut(0, keys.length(), RecordStore.PIECE)) {
        insert(store, piece, keys, values, update, found, options, sums);
      }
      return sums.inserts(store.name(), store.device());
    } catch (GyreException e) {
      throw sums.told(e, keys.length());
    }
  }

  private static void insert(
      RecordStore store,
      Step piece,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options,
      Sums sums) {
    int count = (int) piece.size();
    RecordScratch stage = store.stages().borrow(count, store.stepsAtOnce(count));
    try {
      stage.enter(piece.from(), count, keys, values, options);
      stage.send(store.workers(), count, true);
      try {
        RecordInsertion all = new RecordInsertion(store, count, stage, update, sums);
        all.choose(options.records());
        all.run();
      } finally {
        store.settle();
        stage.fetch(store.workers(), count, found != null);
        stage.leave(piece.from(), count, found, options);
      }
    } finally {
      store.stages().giveBack(stage);
    }
  }

  private void choose(@Nullable RecordPredicate predicate) {
    if (predicate != null) {
      RecordTable table = store.table();
      store.runOwn("choose", count, step -> table.chooseGiven(stage, predicate, step));
    }
  }

  @Override
  void run() {
    if (!(update instanceof Update.Replaced)) {
      super.run();
      return;
    }
    long before = sums.of(MapCodes.PRESENT);
    boolean replaced = false;
    try {
      super.run();
      store.lock().exclusively(this::replace);
      replaced = true;
    } finally {
      if (!replaced) {
        // Keys that were present have their old values, or nobody knows which.
        sums.add(MapCodes.PRESENT, before - sums.of(MapCodes.PRESENT));
      }
    }
  }

  /** Replaces the values of all keys that were present; nobody else is there. */
  private void replace() {
    RecordTable used = store.table();
    for (boolean second : new boolean[] {false, true}) {
      store.runOwn("replace", count, step -> used.replace(stage, step, second));
    }
  }

  @Override
  void launch(RecordTable used, DeviceLongs counters, Step step, int more) {
    Change change = update.change(used, stage);
    launches.run(
        (options, polls) -> used.insert(stage, counters, step, change, options, polls),
        more,
        step,
        counters);
  }

  @Override
  Kernel count(RecordTable used, DeviceLongs counters, Step step, int options) {
    return used.count(stage, counters, step, options);
  }
}
