package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.ChooseFound;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.TextLaunches;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/** A bulk find of text keys: quiescent where no update runs, else beside the updates. */
public final class TextLookup {

  private TextLookup() {}

  /** Looks up keys, in steps. */
  static FindCounts run(
      TextStore store, TextKeys keys, @Nullable Longs found, BulkOptions options) {
    TextPredicate predicate = options.texts();
    Sums sums = new Sums();
    int count = keys.count();
    TextScratch stage = store.stages().borrow(count, store.workersFor(count));
    try {
      stage.enter(count, null, options);
      store.send(keys, stage);
      run(store, keys, stage, found != null, predicate, sums);
      store.workers().readBack(stage.memories());
      stage.leave(count, found, options);
    } finally {
      store.stages().giveBack(stage);
    }
    sums.requireNoneStuck(store.name(), "find", store.device());
    return new FindCounts(sums.of(MapCodes.FOUND), sums.of(MapCodes.ABSENT));
  }

  private static void run(
      TextStore store,
      TextKeys keys,
      TextScratch stage,
      boolean fetches,
      @Nullable TextPredicate predicate,
      Sums sums) {
    Gate.Mode mode = store.gate().enterRead();
    try {
      TextTable used = store.table();
      Workers workers = store.workers();
      int flags =
          (mode == Gate.Mode.QUIESCENT_READ ? MapCodes.QUIESCENT : 0)
              + (fetches || predicate != null ? MapCodes.VALUES : 0);
      TextLaunches launches = store.launches();
      workers.run(
          "find",
          store.steps(keys.count()),
          (worker, step) -> {
            DeviceLongs counters = stage.freshCounters(worker);
            launches.run(
                (options, polls) -> used.find(workers, keys, stage, counters, step, options, polls),
                flags,
                step,
                counters);
            sums.add(counters);
            if (predicate != null) {
              choose(workers, keys, stage, predicate, stage.freshCounters(worker), step, sums);
            }
          });
    } finally {
      store.gate().leave(mode);
    }
  }

  /** Chooses among the keys of a step that were found. */
  private static void choose(
      Workers workers,
      TextKeys keys,
      TextScratch stage,
      TextPredicate predicate,
      DeviceLongs counters,
      Step step,
      Sums sums) {
    workers.launchOwn(
        new ChooseFound(
            stage.batch(keys.places()),
            new TextPredicate.InBatch(predicate, keys.words()),
            counters,
            step.from(),
            step.to(),
            workers.options()),
        step.size(),
        counters);
    sums.add(counters);
  }
}
