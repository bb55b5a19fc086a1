package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.work.Scratches;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Store of texts or records, whose bulk operations process them step by step. */
abstract class RowStore<T extends FixedTable> extends Store<T, RowScratch> {

  /** Approximate time of a key, in nanoseconds. */
  private static final long NANOS = 100;

  private final int step;

  /**
   * Creates a store as {@link Store}.
   *
   * @param step number of keys or slots of a step of a JVM worker
   */
  RowStore(
      int step,
      String name,
      SavedMap.Kind kind,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt,
      Scratches.Maker<RowScratch> stage) {
    super(name, kind, settings, fresh, adopt, stage);
    this.step = step;
  }

  /** Returns the only layout, whatever the settings say. */
  @Override
  final Layout layout() {
    return Layout.LINE;
  }

  /** Returns steps over keys or slots. */
  final List<Step> steps(long count) {
    return Step.cut(0, count, onJvm() ? step : Math.max(1, count));
  }

  /** Returns the workers for a number of keys or slots. */
  final Workers workersFor(long count) {
    return workers().forWork(count * NANOS, true);
  }

  /** Returns how many steps over keys run at the same time. */
  private int stepsAtOnce(long count) {
    return Math.clamp(Math.ceilDiv(count, step), 1, workersFor(count).count());
  }

  /** Runs work on each batch of an operation, in scratch memory. */
  final void forBatches(long count, int most, BiConsumer<Step, RowScratch> work) {
    for (Step piece : Step.cut(0, count, most)) {
      RowScratch stage = stages.borrow((int) piece.size(), stepsAtOnce(piece.size()));
      try {
        work.accept(piece, stage);
      } finally {
        stages.giveBack(stage);
      }
    }
  }

  /**
   * Moves all entries to another table.
   *
   * @throws dev.gyre.structures.map.StuckException if there is no slot for an entry
   */
  final void rehash(T old, T fresh, BiFunction<DeviceLongs, Step, Kernel> move) {
    Sums sums = new Sums();
    RowScratch stage = stages.borrow(1, stepsAtOnce(old.slots));
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
      stages.giveBack(stage);
    }
    sums.requireNoneStuck(name(), "rehash", device());
    fresh.countAs(old);
  }
}
