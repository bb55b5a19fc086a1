package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;

/**
 * Moves the entries of a table to an empty one of another size, with exclusive access: on a device
 * by one kernel, on the JVM in tasks, through separate scratch memory.
 *
 * <p>Both tables have one seed, so that neighbouring entries stay neighbours, and the new table is
 * written sequentially.
 */
@IntSpecialized
public final class LongRehash {

  private final LongStore store;
  private final Workers workers;
  private final Launches launches;
  private final LongTable old;
  private final LongTable fresh;
  private final OutcomeCounts sums = new OutcomeCounts();

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
    fresh.countAs(old, false);
  }

  private void moveOnDevice() {
    LongScratch lender = store.scratchPool.borrow(1, 1);
    try {
      DeviceLongs counters = lender.freshCounters(0);
      workers.launch(old.move(fresh, counters), old.places(), counters);
      sums.add(counters);
    } finally {
      store.scratchPool.giveBack(lender);
    }
  }

  private void moveInSteps() {
    int taskSize = LongBatch.taskSizeOver(old, workers);
    List<TaskRange> tasks = TaskRange.cut(0, old.places(), taskSize);
    int used = Math.min(workers.count(), tasks.size());
    if (used == 1) {
      moveAlone(tasks, taskSize);
      return;
    }
    try (LongScratch scratch = new LongScratch(used * taskSize, used, false)) {
      workers.run(
          "rehash", tasks, (worker, task) -> move(scratch, worker, (long) worker * taskSize, task));
    }
  }

  /** Moves by one thread, which owns all slots. */
  private void moveAlone(List<TaskRange> tasks, int taskSize) {
    // No more than the keys: allocation can take longer than the copy.
    int most = old.isUncounted() ? taskSize : (int) Math.min(taskSize, old.taken() - old.removed());
    long[] keys = new long[most];
    long[] values = new long[most];
    workers.run(
        "rehash",
        tasks,
        (_, task) -> {
          int count = old.copyEntries(task, keys, values, 0);
          long _ =
              fresh
                  .inserts(workers, Change.Policy.KEEP)
                  .insertExclusive(
                      Longs.of(keys).segment(),
                      Longs.of(values).segment(),
                      0,
                      count,
                      Change.Policy.KEEP.policy(),
                      (_, _) -> sums.add(MapCodes.STUCK, 1));
        });
  }

  /** Moves by one of several threads, whose part of the scratch memory begins at a given place. */
  private void move(LongScratch scratch, int worker, long at, TaskRange task) {
    DeviceLongs counters = scratch.freshCounters(worker);
    long[] keys = new long[(int) task.size()];
    long[] values = new long[(int) task.size()];
    int count = old.copyEntries(task, keys, values, 0);
    Longs.of(scratch.keys.memory(), at + count).write(at, keys, count);
    Longs.of(scratch.values.memory(), at + count).write(at, values, count);
    TaskRange all = new TaskRange(at, at + count);
    launches.run(
        (options, polls) ->
            fresh.insert(workers, scratch, counters, all, Change.Policy.KEEP, options, polls),
        0,
        all,
        counters);
    sums.add(counters);
  }
}
