package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.TaskRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts of a bulk operation in memory of the caller. */
final class TextBatch extends RowBatch<TextTable> {

  /** Smallest number of arena words that a thread of the JVM takes at once. */
  static final long JVM_CHUNK = 1 << 9;

  private final TextKeys keys;
  private final Change change;

  TextBatch(
      TextStore store,
      TextKeys keys,
      TaskRange all,
      @Nullable Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options,
      RowScratch scratch) {
    super(
        store,
        all,
        null,
        Columns.ofLongs(values),
        Columns.ofLongs(found),
        inBatch(options.texts(), keys),
        options,
        scratch);
    this.keys = keys;
    this.change = change;
  }

  private static TextPredicate.@Nullable InBatch inBatch(
      @Nullable TextPredicate predicate, TextKeys keys) {
    return predicate == null ? null : new TextPredicate.InBatch(predicate, keys.words());
  }

  @Override
  List<TaskRange> begin(TextTable table) {
    workers.hostWrote(keys.words().memory(), keys.places().memory());
    return super.begin(table);
  }

  @Override
  Batch batch(TextTable used) {
    return scratch.batch(keys);
  }

  @Override
  void warm(TextTable used, TaskRange task, boolean quiescent) {
    used.warm(workers, keys, scratch, task);
  }

  @Override
  Kernel insert(TextTable used, DeviceLongs counters, TaskRange task, int these, long polls) {
    // If the capacity for text is fixed, chunks must not leave gaps.
    boolean chunks = workers.onJvm() && !store.isFixed() && task.size() == TextStore.STEP;
    return used.inserts(workers, change)
        .insert(
            keys.words(),
            scratch.range(keys, counters, task),
            change.policy(),
            these,
            chunks ? JVM_CHUNK : 0,
            polls);
  }

  @Override
  Kernel find(TextTable used, DeviceLongs counters, TaskRange task, int these, long polls) {
    return used.code(workers).find(keys.words(), scratch.range(keys, counters, task), these, polls);
  }

  /** Returns the arena words that the keys of a task may need. */
  long wordsFor(TaskRange task) {
    return keys.arenaWords(task.from(), task.to());
  }
}
