package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.table.RecordScratch;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import org.jspecify.annotations.Nullable;

/** A bulk find of records: quiescent where no update runs, else beside the updates. */
final class RecordLookup {

  private RecordLookup() {}

  /** Looks up keys, in pieces. */
  static FindCounts run(
      RecordStore store, Columns keys, @Nullable Columns found, BulkOptions options) {
    Sums sums = new Sums();
    for (Step piece : Step.cut(0, keys.length(), RecordStore.PIECE)) {
      int count = (int) piece.size();
      RecordScratch stage = store.stages().borrow(count, store.workersFor(count));
      try {
        stage.enter(piece.from(), count, keys, null, options);
        stage.send(store.workers(), count, false);
        RecordPredicate predicate = options.records();
        store.find(
            stage,
            count,
            found != null || predicate != null,
            sums,
            (used, counters, step) ->
                (these, polls) -> used.find(stage, counters, step, these, polls));
        if (predicate != null) {
          RecordTable table = store.table();
          int these = store.workers().options();
          store.chooseFound(
              stage,
              count,
              sums,
              (counters, step) -> table.chooseFound(stage, predicate, counters, step, these));
        }
        stage.fetch(store.workers(), count, found != null);
        stage.leave(piece.from(), count, found, options);
      } finally {
        store.stages().giveBack(stage);
      }
    }
    sums.requireNoneStuck(store.name(), "find", store.device());
    return new FindCounts(sums.of(MapCodes.FOUND), sums.of(MapCodes.ABSENT));
  }
}
