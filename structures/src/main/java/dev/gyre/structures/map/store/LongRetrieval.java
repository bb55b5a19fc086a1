package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Retrieval of entries from a table, all of them or task by task, while no update runs. */
@IntSpecialized
public final class LongRetrieval {

  private final LongStore store;

  LongRetrieval(LongStore store) {
    this.store = store;
  }

  /**
   * Copies all entries, or the entries for which a predicate returns true; returns their number.
   *
   * @throws IllegalArgumentException if they do not fit; for all entries, before any is written
   */
  long all(Longs keys, Longs values, @Nullable EntryPredicate predicate) {
    boolean resident = LongDeviceBatch.holds(store, BulkOptions.NONE, keys, values);
    try (Entry _ = store.lock().enterQuiescentRead()) {
      LongTable used = store.table();
      Workers workers = store.workers();
      if (predicate == null) {
        requireCapacity(used.size(), keys, values);
      }
      if (resident) {
        return toDevice(used, keys, values, predicate);
      }
      int taskSize = LongBatch.taskSizeOver(used, workers);
      AtomicLong next = new AtomicLong();
      workers.run(
          "retrieve",
          TaskRange.cut(0, used.places(), Math.max(LongBatch.MAX_UNORDERED, taskSize)),
          (worker, part) -> {
            List<TaskRange> tasks = TaskRange.cut(part.from(), part.to(), taskSize);
            if (predicate == null && workers.onJvm()) {
              copy(used, tasks, taskSize, keys, values, next);
            } else {
              retrieve(used, tasks, taskSize, predicate, keys, values, next);
            }
          });
      return next.get();
    }
  }

  private void retrieve(
      LongTable used,
      List<TaskRange> tasks,
      int taskSize,
      @Nullable EntryPredicate predicate,
      Longs keys,
      Longs values,
      AtomicLong next) {
    withScratch(
        taskSize,
        scratch -> {
          for (TaskRange task : tasks) {
            int count = retrieve(used, scratch, task, predicate);
            long at = next.getAndAdd(count);
            requireCapacity(at + count, keys, values);
            keys.write(at, scratch.keys.memory().segment(), 0, count);
            values.write(at, scratch.values.memory().segment(), 0, count);
          }
        });
  }

  /** Copies all entries, for which there is enough memory. */
  private static void copy(
      LongTable used,
      List<TaskRange> tasks,
      int taskSize,
      Longs keys,
      Longs values,
      AtomicLong next) {
    long[] copiedKeys = new long[taskSize];
    long[] copiedValues = new long[taskSize];
    for (TaskRange task : tasks) {
      int count = used.copyEntries(task, copiedKeys, copiedValues, 0);
      long at = next.getAndAdd(count);
      keys.write(at, copiedKeys, count);
      values.write(at, copiedValues, count);
    }
  }

  /** Copies entries to memory of the caller on the device. */
  private long toDevice(
      LongTable used, Longs keys, Longs values, @Nullable EntryPredicate predicate) {
    try (LongDeviceBatch all =
        LongDeviceBatch.toFind(
            store,
            new LongKeys.Operands(keys, null, Change.Policy.KEEP, values, BulkOptions.NONE))) {
      TaskRange task = new TaskRange(0, used.places());
      long capacity = Math.min(keys.length(), values.length());
      long count = launch(used, all.batch().scratch, task, predicate, capacity);
      all.writeKeys();
      requireCapacity(count, keys, values);
      return count;
    }
  }

  private static void requireCapacity(long entries, Longs keys, Longs values) {
    if (keys.length() < entries || values.length() < entries) {
      throw new IllegalArgumentException(
          "%d entries do not fit in %d keys and %d values"
              .formatted(entries, keys.length(), values.length()));
    }
  }

  /** Runs work with scratch memory; if a device still uses it then, it is freed with the map. */
  private void withScratch(int length, Consumer<LongScratch> work) {
    LongScratch scratch = new LongScratch(length, 1, false);
    try {
      work.accept(scratch);
    } finally {
      store.scratchPool.giveUp(scratch);
    }
  }

  /** Calls an action for the entries of a table, while it is in place. */
  void forEach(LongTable walked, LongLongConsumer action) {
    int most = LongBatch.taskSizeOver(walked, store.workers());
    long[] keys = new long[most];
    long[] values = new long[most];
    withScratch(
        most,
        scratch -> {
          for (TaskRange task : TaskRange.cut(0, walked.places(), most)) {
            int count = copy(walked, scratch, task, keys, values);
            for (int i = 0; i < count; i++) {
              action.accept(keys[i], values[i]);
            }
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private int copy(
      LongTable walked, LongScratch scratch, TaskRange task, long[] keys, long[] values) {
    try (Entry _ = store.lock().enterQuiescentRead()) {
      LongTable used = store.table();
      if (used.seed != walked.seed) {
        // Cleared: no key of the walk is left.
        return 0;
      }
      if (used != walked) {
        throw new ConcurrentModificationException(
            "%s grew or was rehashed in the middle of forEach: do not insert meanwhile"
                .formatted(store.name()));
      }
      int count = retrieve(walked, scratch, task, null);
      Longs.of(scratch.keys.memory(), count).read(0, keys, count);
      Longs.of(scratch.values.memory(), count).read(0, values, count);
      return count;
    }
  }

  private int retrieve(
      LongTable used, LongScratch scratch, TaskRange task, @Nullable EntryPredicate predicate) {
    int count = (int) launch(used, scratch, task, predicate, Long.MAX_VALUE);
    Workers workers = store.workers();
    workers.readBack(scratch.keys.memory(), (long) count * Long.BYTES);
    workers.readBack(scratch.values.memory(), (long) count * Long.BYTES);
    return count;
  }

  private long launch(
      LongTable used,
      LongScratch scratch,
      TaskRange task,
      @Nullable EntryPredicate predicate,
      long capacity) {
    DeviceLongs counters = scratch.freshCounters(0);
    Workers workers = store.workers();
    long threads = Retrieve.threads(task.size());
    if (predicate == null) {
      workers.launch(used.retrieve(workers, scratch, counters, task), threads, counters);
    } else {
      workers.launchOwn(
          used.retrieve(predicate, scratch, counters, task, capacity), threads, counters);
    }
    return counters.get(MapCodes.RETRIEVED);
  }
}
