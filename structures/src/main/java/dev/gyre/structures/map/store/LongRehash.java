package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;

/**
 * Moves the entries of a table to a larger or smaller one, which is empty, with nobody else there.
 */
public final class LongRehash {

  private final String name;
  private final Workers workers;
  private final LongLaunches launches;
  private final LongTable old;
  private final LongTable fresh;
  private final Sums sums = new Sums();

  LongRehash(LongStore store, LongTable old, LongTable fresh) {
    this.name = store.name();
    this.workers = store.workers();
    this.launches = new LongLaunches(store);
    this.old = old;
    this.fresh = fresh;
  }

  /**
   * Moves all entries; where that fails, the old table is as it was.
   *
   * @throws dev.gyre.structures.map.StuckException if a wait for another worker took too long
   */
  void run() {
    int stepSize = LongBatch.stepOver(old, workers);
    List<Step> steps = Step.cut(0, old.places(), stepSize);
    LongScratch[] stages = new LongScratch[Math.min(workers.count(), steps.size())];
    try {
      for (int i = 0; i < stages.length; i++) {
        stages[i] = new LongScratch(stepSize, 1, false);
      }
      workers.run("rehash", steps, (worker, step) -> move(stages[worker], step));
    } finally {
      for (LongScratch stage : stages) {
        if (stage != null) {
          stage.close();
        }
      }
    }
    sums.requireNoneStuck(name, "rehash", workers.device());
    fresh.setTaken(sums.of(MapCodes.INSERTED));
  }

  private void move(LongScratch stage, Step step) {
    DeviceLongs counters = stage.freshCounters(0);
    workers.launch(
        old.retrieve(workers, stage, counters, step), Retrieve.threads(step.size()), counters);
    long count = counters.get(MapCodes.RETRIEVED);
    Step all = new Step(0, count);
    var _ =
        launches.run(
            options ->
                fresh.insert(
                    workers,
                    stage,
                    counters,
                    all,
                    Change.Policy.KEEP,
                    options,
                    launches.pollLimit()),
            0,
            all,
            counters,
            sums);
  }
}
