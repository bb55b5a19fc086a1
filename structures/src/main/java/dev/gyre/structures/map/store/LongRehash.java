package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;

/**
 * Moves the entries of a table to an empty one of another size, with exclusive access: on a device
 * by one kernel, on the JVM in steps, through separate scratch memory.
 *
 * <p>Both tables have one seed, so that neighbouring entries stay neighbours, and the new table is
 * written sequentially.
 */
@IntTwin
public final class LongRehash {

  private final LongStore store;
  private final Workers workers;
  private final Launches launches;
  private final LongTable old;
  private final LongTable fresh;
  private final Sums sums = new Sums();

  LongRehash(LongStore store, LongTable old, LongTable fresh) {
    this.store = store;
    this.workers = LongPlan.workersFor(store, old.places(), true);
    this.launches = store.launches();
    this.old = old;
    this.fresh = fresh;
  }

  /**
   * Moves all entries; if that fails, the old table is unchanged.
   *
   * @throws dev.gyre.structures.map.StuckException if a wait for another worker took too long
   */
  void run() {
    if (workers.onJvm()) {
      moveInSteps();
    } else {
      moveOnDevice();
    }
    sums.requireNoneStuck(store.name(), "rehash", workers.device());
    fresh.countAs(old);
  }

  private void moveOnDevice() {
    LongScratch lender = store.stages.borrow(1, 1);
    try {
      DeviceLongs counters = lender.freshCounters(0);
      workers.launch(old.move(fresh, counters), old.places(), counters);
      sums.add(counters);
    } finally {
      store.stages.giveBack(lender);
    }
  }

  private void moveInSteps() {
    int stepSize = LongBatch.stepOver(old, workers);
    List<Step> steps = Step.cut(0, old.places(), stepSize);
    int used = Math.min(workers.count(), steps.size());
    if (used == 1) {
      moveAlone(steps, stepSize);
      return;
    }
    try (LongScratch stage = new LongScratch(used * stepSize, used, false)) {
      workers.run(
          "rehash", steps, (worker, step) -> move(stage, worker, (long) worker * stepSize, step));
    }
  }

  /** Moves by one thread, which owns all slots. */
  private void moveAlone(List<Step> steps, int stepSize) {
    long[] keys = new long[stepSize];
    long[] values = new long[stepSize];
    workers.run(
        "rehash",
        steps,
        (_, step) -> {
          int count = old.copyEntries(step, keys, values, 0);
          long _ =
              fresh
                  .inserts(workers, Change.Policy.KEEP)
                  .insertOwned(
                      Longs.of(keys).segment(),
                      Longs.of(values).segment(),
                      0,
                      count,
                      Change.Policy.KEEP.policy(),
                      (_, _) -> sums.add(MapCodes.STUCK, 1));
        });
  }

  /** Moves by one of several threads, whose part of the scratch memory begins at a given place. */
  private void move(LongScratch stage, int worker, long at, Step step) {
    DeviceLongs counters = stage.freshCounters(worker);
    long[] keys = new long[(int) step.size()];
    long[] values = new long[(int) step.size()];
    int count = old.copyEntries(step, keys, values, 0);
    Longs.of(stage.keys.memory(), at + count).write(at, keys, count);
    Longs.of(stage.values.memory(), at + count).write(at, values, count);
    Step all = new Step(at, at + count);
    launches.run(
        (options, polls) ->
            fresh.insert(workers, stage, counters, all, Change.Policy.KEEP, options, polls),
        0,
        all,
        counters);
    sums.add(counters);
  }
}
