package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.table.RecordScratch;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.TextLaunches;
import dev.gyre.structures.map.work.Workers;
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
        find(store, stage, count, found != null || predicate != null, sums);
        if (predicate != null) {
          choose(store, stage, count, predicate, sums);
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

  /** Chooses among the keys that were found. */
  private static void choose(
      RecordStore store, RecordScratch stage, int count, RecordPredicate predicate, Sums sums) {
    Workers workers = store.workers();
    RecordTable table = store.table();
    workers.run(
        "choose",
        store.steps(count),
        (worker, step) -> {
          DeviceLongs counters = stage.freshCounters(worker);
          workers.launchOwn(
              table.chooseFound(stage, predicate, counters, step, workers.options()),
              step.size(),
              counters);
          sums.add(counters);
        });
  }

  private static void find(
      RecordStore store, RecordScratch stage, int count, boolean fetches, Sums sums) {
    Gate.Mode mode = store.gate().enterRead();
    try {
      RecordTable used = store.table();
      int flags =
          (mode == Gate.Mode.QUIESCENT_READ ? MapCodes.QUIESCENT : 0)
              + (fetches ? MapCodes.VALUES : 0);
      TextLaunches launches = store.launches();
      store
          .workers()
          .run(
              "find",
              store.steps(count),
              (worker, step) -> {
                DeviceLongs counters = stage.freshCounters(worker);
                launches.runOwn(
                    (options, polls) -> used.find(stage, counters, step, options, polls),
                    flags,
                    step,
                    counters);
                sums.add(counters);
              });
    } finally {
      store.gate().leave(mode);
    }
  }
}
