package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
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
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Retrieval of entries from a table, all of them or step by step, while no update runs. */
@IntTwin
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
    boolean resident = LongResident.holds(store, BulkOptions.NONE, keys, values);
    try (Entry _ = store.lock().enterQuiescentRead()) {
      LongTable used = store.table();
      Workers workers = store.workers();
      if (predicate == null) {
        requireRoom(used.size(), keys, values);
      }
      if (resident) {
        return toDevice(used, keys, values, predicate);
      }
      int stepSize = LongBatch.stepOver(used, workers);
      AtomicLong next = new AtomicLong();
      workers.run(
          "retrieve",
          Step.cut(0, used.places(), Math.max(LongBatch.MAX_UNORDERED, stepSize)),
          (worker, part) -> {
            List<Step> steps = Step.cut(part.from(), part.to(), stepSize);
            if (predicate == null && workers.onJvm()) {
              copy(used, steps, stepSize, keys, values, next);
            } else {
              retrieve(used, steps, stepSize, predicate, keys, values, next);
            }
          });
      return next.get();
    }
  }

  private void retrieve(
      LongTable used,
      List<Step> steps,
      int stepSize,
      @Nullable EntryPredicate predicate,
      Longs keys,
      Longs values,
      AtomicLong next) {
    withScratch(
        stepSize,
        stage -> {
          for (Step step : steps) {
            int count = retrieve(used, stage, step, predicate);
            long at = next.getAndAdd(count);
            requireRoom(at + count, keys, values);
            keys.write(at, stage.keys.memory().segment(), 0, count);
            values.write(at, stage.values.memory().segment(), 0, count);
          }
        });
  }

  /** Copies all entries, for which there is enough memory. */
  private static void copy(
      LongTable used, List<Step> steps, int stepSize, Longs keys, Longs values, AtomicLong next) {
    long[] copiedKeys = new long[stepSize];
    long[] copiedValues = new long[stepSize];
    for (Step step : steps) {
      int count = used.copyEntries(step, copiedKeys, copiedValues, 0);
      long at = next.getAndAdd(count);
      keys.write(at, copiedKeys, count);
      values.write(at, copiedValues, count);
    }
  }

  /** Copies entries to memory of the caller on the device. */
  private long toDevice(
      LongTable used, Longs keys, Longs values, @Nullable EntryPredicate predicate) {
    try (LongResident all =
        LongResident.toFind(
            store,
            new LongKeys.Operands(keys, null, Change.Policy.KEEP, values, BulkOptions.NONE))) {
      Step step = new Step(0, used.places());
      long room = Math.min(keys.length(), values.length());
      long count = launch(used, all.batch().scratch, step, predicate, room);
      requireRoom(count, keys, values);
      return count;
    }
  }

  private static void requireRoom(long entries, Longs keys, Longs values) {
    if (keys.length() < entries || values.length() < entries) {
      throw new IllegalArgumentException(
          "%d entries do not fit in %d keys and %d values"
              .formatted(entries, keys.length(), values.length()));
    }
  }

  /** Runs work with scratch memory; if a device still uses it then, it is freed with the map. */
  private void withScratch(int length, Consumer<LongScratch> work) {
    LongScratch stage = new LongScratch(length, 1, false);
    try {
      work.accept(stage);
    } finally {
      store.stages.giveUp(stage);
    }
  }

  /** Calls an action for the entries of a table, while it is in place. */
  void forEach(LongTable walked, LongLongConsumer action) {
    int most = LongBatch.stepOver(walked, store.workers());
    long[] keys = new long[most];
    long[] values = new long[most];
    withScratch(
        most,
        stage -> {
          for (Step step : Step.cut(0, walked.places(), most)) {
            int count = copy(walked, stage, step, keys, values);
            for (int i = 0; i < count; i++) {
              action.accept(keys[i], values[i]);
            }
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private int copy(LongTable walked, LongScratch stage, Step step, long[] keys, long[] values) {
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
      int count = retrieve(walked, stage, step, null);
      Longs.of(stage.keys.memory(), count).read(0, keys, count);
      Longs.of(stage.values.memory(), count).read(0, values, count);
      return count;
    }
  }

  private int retrieve(
      LongTable used, LongScratch stage, Step step, @Nullable EntryPredicate predicate) {
    int count = (int) launch(used, stage, step, predicate, Long.MAX_VALUE);
    Workers workers = store.workers();
    workers.readBack(stage.keys.memory(), (long) count * Long.BYTES);
    workers.readBack(stage.values.memory(), (long) count * Long.BYTES);
    return count;
  }

  private long launch(
      LongTable used, LongScratch stage, Step step, @Nullable EntryPredicate predicate, long room) {
    DeviceLongs counters = stage.freshCounters(0);
    Workers workers = store.workers();
    long threads = Retrieve.threads(step.size());
    if (predicate == null) {
      workers.launch(used.retrieve(workers, stage, counters, step), threads, counters);
    } else {
      workers.launchOwn(used.retrieve(predicate, stage, counters, step, room), threads, counters);
    }
    return counters.get(MapCodes.RETRIEVED);
  }
}
