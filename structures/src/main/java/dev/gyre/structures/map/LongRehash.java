package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import java.util.List;

/**
 * Moves the entries of a table to a larger or smaller one, which is empty, with nobody else there.
 */
final class LongRehash {

  private final Workers workers;
  private final LongTable old;
  private final LongTable fresh;
  private final long pollLimit;
  private final Sums sums = new Sums();

  LongRehash(Workers workers, LongTable old, LongTable fresh, long pollLimit) {
    this.workers = workers;
    this.old = old;
    this.fresh = fresh;
    this.pollLimit = pollLimit;
  }

  /**
   * Moves all entries; where that fails, the old table is as it was.
   *
   * @throws StuckException if a wait for another worker took too long
   */
  void run(String name) {
    int stepSize = LongBatch.stepOver(old, workers);
    List<Step> steps = Step.cut(0, old.places(), stepSize);
    LongStage[] stages = new LongStage[Math.min(workers.count(), steps.size())];
    try {
      for (int i = 0; i < stages.length; i++) {
        stages[i] = new LongStage(stepSize, 1, false);
      }
      workers.run("rehash", steps, (worker, step) -> move(stages[worker], step));
    } finally {
      for (LongStage stage : stages) {
        if (stage != null) {
          stage.close();
        }
      }
    }
    sums.requireNoneStuck(name, "rehash", workers.device());
    fresh.setTaken(old.taken());
  }

  private void move(LongStage stage, Step step) {
    DeviceLongs counters = stage.freshCounters(0);
    workers.launch(old.retrieve(stage, counters, step), step.size(), counters);
    long count = counters.get(MapCodes.RETRIEVED);
    Step all = new Step(0, count);
    workers.launch(
        fresh.insert(stage, counters, all, MapCodes.KEEP, 0, pollLimit), count, counters);
    sums.add(counters);
  }
}
