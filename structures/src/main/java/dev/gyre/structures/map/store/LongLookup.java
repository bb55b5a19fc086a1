package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.ChooseFound;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bulk find: quiescent where no update runs, else beside the updates. */
@IntTwin
public final class LongLookup {

  private final LongStore store;
  private final Workers workers;
  private final LongBatch batch;
  private final LongScratch stage;
  private final Launches launches;
  private final @Nullable EntryPredicate predicate;
  private final int flags;
  private final Sums sums;

  private LongLookup(
      LongStore store, LongBatch batch, @Nullable EntryPredicate predicate, int flags, Sums sums) {
    this.store = store;
    this.workers = batch.workers();
    this.batch = batch;
    this.stage = batch.stage();
    this.launches = store.launches();
    this.predicate = predicate;
    this.flags = flags;
    this.sums = sums;
  }

  /** Looks up keys, one batch after the other. */
  static FindCounts run(LongStore store, Longs keys, @Nullable Longs found, BulkOptions options) {
    EntryPredicate predicate = options.entries();
    Sums sums = new Sums();
    int flags =
        (options.isMasked() ? MapCodes.MASKED : 0)
            + (options.outcomes() == null && predicate == null ? 0 : MapCodes.OUTCOMES)
            + (found == null && predicate == null ? 0 : MapCodes.VALUES);
    if (LongResident.holds(store, options, keys, found)
        || LongResident.reaches(store, options, keys, found)) {
      try (LongResident all = LongResident.toFind(store, keys, found, options, flags)) {
        all.orSkipped(() -> new LongLookup(store, all.batch(), predicate, flags, sums).run());
      }
      return counts(store, sums);
    }
    Pieces.Piece run =
        (from, length, _) -> {
          Workers workers = LongBatch.workersFor(store, length, false);
          int regionBits = LongBatch.regionBits(workers, store.table(), length, false);
          LongScratch stage = store.stages().borrow(length, workers.count(), regionBits > 0);
          try {
            LongBatch batch =
                new LongBatch(workers, keys, null, found, options, from, length, stage, regionBits);
            new LongLookup(store, batch, predicate, flags, sums).run();
          } finally {
            store.stages().giveBack(stage, workers.batchesAtOnce());
          }
        };
    LongBatch.run(store, keys.length(), false, true, run);
    return counts(store, sums);
  }

  private static FindCounts counts(LongStore store, Sums sums) {
    sums.requireNoneStuck(store.name(), "find", store.workers().device());
    return sums.finds();
  }

  private void run() {
    List<Step> steps = batch.begin(workers, store.table());
    Entry entry = store.lock().enterRead();
    try {
      LongTable used = store.table();
      int options = flags + (entry.isQuiescent() ? MapCodes.QUIESCENT : 0);
      workers.run("find", steps, (worker, step) -> findStep(used, worker, step, options));
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
    batch.end();
  }

  /** Chooses among the keys of a step that were found. */
  private void choose(int worker, Step step) {
    if (predicate != null) {
      DeviceLongs counters = stage.freshCounters(worker);
      workers.launchOwn(
          new ChooseFound(
              stage.batch(), predicate, counters, step.from(), step.to(), workers.options()),
          step.size(),
          counters);
      sums.add(counters);
    }
  }

  private void findStep(LongTable used, int worker, Step step, int options) {
    DeviceLongs counters = stage.freshCounters(worker);
    batch.enter(step);
    batch.send(step);
    boolean quiet = workers.onJvm() && (options & MapCodes.QUIESCENT) != 0;
    batch.warm(used, quiet ? used.memoriesToFind() : used.memories(), step);
    launches.run(
        (these, polls) ->
            quiet && Launches.canOwn(these)
                ? used.findOwned(stage, counters, step, these)
                : used.find(workers, stage, counters, step, these, polls),
        options,
        step,
        counters);
    sums.add(counters);
    choose(worker, step);
    batch.fetch(step);
    batch.leave(step);
  }
}
