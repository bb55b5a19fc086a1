package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Scratches;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A store of keys that are no numbers, whose bulk operations go over them step by step. */
abstract class SteppedStore<T extends FixedTable, S extends Scratch> extends Store<T, S> {

  /** What a key takes, about. */
  private static final long NANOS = 100;

  private final int step;

  /**
   * As {@link Store}.
   *
   * @param step keys or slots that a worker of the JVM does at once
   */
  SteppedStore(
      int step,
      String name,
      SavedMap.Kind kind,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt,
      Scratches.Maker<S> stage) {
    super(name, kind, settings, fresh, adopt, stage);
    this.step = step;
  }

  /** There is one; that of the settings is not asked for. */
  @Override
  final Layout layout() {
    return Layout.LINE;
  }

  /** Steps over keys or slots. */
  final List<Step> steps(long count) {
    return Step.cut(0, count, onJvm() ? step : Math.max(1, count));
  }

  /** The workers for an operation on a number of keys or slots. */
  final Workers workersFor(long count) {
    return workers().forWork(count * NANOS, true);
  }

  /** How many steps over keys are done at the same time. */
  final int stepsAtOnce(long count) {
    return Math.clamp(Math.ceilDiv(count, step), 1, workersFor(count).count());
  }

  /** Runs a user's kernel, which counts nothing, over all keys of a batch, or slots. */
  final void runOwn(String what, long count, Function<Step, Kernel> kernel) {
    workersFor(count)
        .run(what, steps(count), (_, some) -> workers().launchOwn(kernel.apply(some), some.size()));
  }

  /**
   * Moves all entries to another table.
   *
   * @throws dev.gyre.structures.map.StuckException if there is no slot for one
   */
  final void rehash(T old, T fresh, BiFunction<DeviceLongs, Step, Kernel> move) {
    Sums sums = new Sums();
    S stage = stages().borrow(1, stepsAtOnce(old.slots));
    try {
      workersFor(old.slots)
          .run(
              "rehash",
              steps(old.slots),
              (worker, step) -> {
                DeviceLongs counters = stage.freshCounters(worker);
                launches().launch(move.apply(counters, step), step.size(), counters);
                sums.add(counters);
              });
    } finally {
      stages().giveBack(stage);
    }
    sums.requireNoneStuck(name(), "rehash", device());
    fresh.countAs(old);
  }

  /** Gives all entries to a user's kernel. */
  final void visitSlots(BiFunction<T, Step, Kernel> kernel) {
    try (Entry _ = lock().enterQuiescentRead()) {
      T used = table();
      runOwn("visit", used.slots, some -> kernel.apply(used, some));
    }
  }
}
