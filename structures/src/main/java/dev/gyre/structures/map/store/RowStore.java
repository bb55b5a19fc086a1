package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.work.ScratchPool;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Store of texts or records, whose bulk operations process them task by task. */
abstract class RowStore<T extends FixedTable> extends Store<T, RowScratch> {

  /** Approximate time of a key, in nanoseconds. */
  private static final long NANOS = 100;

  private final int task;

  /**
   * Creates a store as {@link Store}.
   *
   * @param task number of keys or slots of a task of a JVM worker
   */
  RowStore(
      int task,
      String name,
      SavedMap.Kind kind,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt,
      ScratchPool.Maker<RowScratch> scratch) {
    super(name, kind, settings, fresh, adopt, scratch);
    this.task = task;
  }

  /** Returns the only layout, whatever the settings say. */
  @Override
  final Layout layout() {
    return Layout.LINE;
  }

  /** Returns tasks over keys or slots. */
  final List<TaskRange> tasks(long count) {
    return TaskRange.cut(0, count, onJvm() ? task : Math.max(1, count));
  }

  /** Returns the workers for a number of keys or slots. */
  final Workers workersFor(long count) {
    return workers().forWork(count * NANOS, true);
  }

  /** Returns how many tasks over keys run at the same time. */
  private int tasksAtOnce(long count) {
    return Math.clamp(Math.ceilDiv(count, task), 1, workersFor(count).count());
  }

  /** Runs work on each batch of an operation, in scratch memory. */
  final void forBatches(long count, int most, BiConsumer<TaskRange, RowScratch> work) {
    for (TaskRange piece : TaskRange.cut(0, count, most)) {
      RowScratch scratch = scratchPool.borrow((int) piece.size(), tasksAtOnce(piece.size()));
      try {
        work.accept(piece, scratch);
      } finally {
        scratchPool.giveBack(scratch);
      }
    }
  }

  /** Moves all entries to another table. */
  final void rehash(T old, T fresh, BiFunction<DeviceLongs, TaskRange, Kernel> move) {
    rehash(old, fresh, workersFor(old.slots), task, move);
  }
}
