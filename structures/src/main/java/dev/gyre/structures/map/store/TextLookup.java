package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.ChooseFound;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.work.Sums;
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
      Workers workers = store.workers();
      store.find(
          stage,
          count,
          found != null || predicate != null,
          sums,
          (used, counters, step) ->
              (these, polls) -> used.find(workers, keys, stage, counters, step, these, polls));
      if (predicate != null) {
        choose(store, keys, stage, predicate, sums);
      }
      workers.readBack(stage.memories());
      stage.leave(count, found, options);
    } finally {
      store.stages().giveBack(stage);
    }
    sums.requireNoneStuck(store.name(), "find", store.device());
    return new FindCounts(sums.of(MapCodes.FOUND), sums.of(MapCodes.ABSENT));
  }

  /** Chooses among the keys that were found. */
  private static void choose(
      TextStore store, TextKeys keys, TextScratch stage, TextPredicate predicate, Sums sums) {
    Batch batch = stage.batch(keys.places());
    EntryPredicate ofPlaces = new TextPredicate.InBatch(predicate, keys.words());
    int options = store.workers().options();
    store.chooseFound(
        stage,
        keys.count(),
        sums,
        (counters, step) ->
            new ChooseFound(batch, ofPlaces, counters, step.from(), step.to(), options));
  }
}
