package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.LongColumn;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Batch of keys of the caller on their way through scratch memory.
 *
 * <p>Random access is slow in a table that is larger than the cache. If a batch is large enough,
 * its keys are put {@linkplain LongOrder in the order of the table}.
 */
@IntSpecialized
public final class LongBatch extends LongKeys implements AutoCloseable {

  /** Number of keys of a task on the JVM. */
  static final int STEP = 1 << 12;

  /** Number of slots of a task on a device. */
  private static final int DEVICE_STEP = 1 << 22;

  /** Largest number of keys of a batch. */
  private static final int MAX_LENGTH = 1 << 24;

  /** Largest number of keys of a batch that is not ordered. */
  static final int MAX_UNORDERED = 1 << 18;

  private static final long KIB = 1 << 10;

  /** Smallest number of keys per KiB for which a hash range of the table is prefetched. */
  private static final int WARM_KEYS_PER_KIB = 8;

  private final LongStore store;
  private final BulkOptions options;
  private final long from;
  private final int length;
  private final int partitionBits;
  private final LongColumn keys;
  private final @Nullable LongColumn values;
  private final @Nullable LongColumn found;

  /** Whether the keys are their own values, and read once. */
  private final boolean isSet;

  private @Nullable LongOrder order;

  private LongBatch(
      LongStore store, Workers workers, Operands all, long from, int length, int partitionBits) {
    super(
        workers,
        all.change(),
        all.options().entries(),
        all.flags(),
        // Last: if an earlier argument is refused, no scratch memory is left behind.
        store.scratchPool.borrow(length, workers.count(), partitionBits > 0));
    this.store = store;
    this.options = all.options();
    this.from = from;
    this.length = length;
    this.partitionBits = partitionBits;
    this.isSet = all.isSet();
    try {
      this.keys = column(all.keys(), scratch.keys, true);
      this.values = all.values() == null ? null : column(all.values(), scratch.values, true);
      this.found =
          all.found() == null ? null : column(all.found(), scratch.values, options.takeAll());
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private LongColumn column(Longs elements, /* DeviceInts */ DeviceLongs numbers, boolean whole) {
    return new LongColumn(workers, elements, from, length, numbers, whole);
  }

  /**
   * Returns the number of places of a task over a table: at most all, because each task needs
   * scratch memory.
   */
  static int taskSizeOver(LongTable table, Workers workers) {
    return (int) Math.min(table.places(), workers.onJvm() ? STEP : DEVICE_STEP);
  }

  /**
   * Processes all keys in batches: on the JVM one after another, with all workers on each; on a
   * device in chunks that overlap.
   *
   * @param anyOrder whether the result for equal keys may depend on the order of batches
   * @param work processes a batch; also gets the number of keys that are neither done nor in it
   */
  static void forAll(
      LongStore store, Operands all, boolean anyOrder, ObjLongConsumer<LongBatch> work) {
    long count = all.keys().length();
    if (!store.onJvm() && anyOrder) {
      Pieces.run(
          count,
          mostFor(store, Pieces.lengthFor(count)),
          (from, length, later) -> {
            try (LongBatch batch = new LongBatch(store, store.workers(), all, from, length, 0)) {
              work.accept(batch, later);
            }
          });
      return;
    }
    long from = 0;
    while (from < count) {
      try (LongBatch batch = next(store, all, from)) {
        work.accept(batch, count - from - batch.length);
        from += batch.length;
      }
    }
  }

  /** Returns the batch that begins with a key. */
  private static LongBatch next(LongStore store, Operands all, long from) {
    boolean updates = all.values() != null;
    long left = all.keys().length() - from;
    int length = mostFor(store, store.onJvm() ? left : Math.min(left, DEVICE_STEP));
    Workers workers = LongPlan.workersFor(store, length, updates);
    int bits = LongPlan.partitionBits(workers, store.table(), length, updates);
    if (bits == 0 && length > MAX_UNORDERED && store.onJvm()) {
      length = MAX_UNORDERED;
      workers = LongPlan.workersFor(store, length, updates);
    }
    return new LongBatch(store, workers, all, from, length, bits);
  }

  private static int mostFor(LongStore store, long length) {
    return (int) Math.min(length, Math.clamp(store.table().slots / 2, MAX_UNORDERED, MAX_LENGTH));
  }

  /** Returns the scratch memory. */
  @Override
  public void close() {
    store.scratchPool.giveBack(scratch, workers.batchesAtOnce());
  }

  int length() {
    return length;
  }

  boolean isOrdered() {
    return partitionBits > 0;
  }

  int partitionBits() {
    return partitionBits;
  }

  /**
   * Copies all keys to scratch memory if they are ordered; then there is one task per hash range,
   * in rising order.
   */
  @Override
  List<TaskRange> begin(LongTable table) {
    if (!isOrdered()) {
      return TaskRange.cut(0, length, workers.onJvm() ? STEP : length);
    }
    if (options.takeAll() && options.outcomes() != null) {
      // Outcomes of another batch must not appear for keys that are not tried.
      MemorySegment _ = scratch.outcomes.segment().asSlice(0, length).fill(MapCodes.SKIPPED);
    }
    LongOrder made = new LongOrder(this, scratch, workers, table, partitionBits);
    order = made;
    return made.order();
  }

  /** Returns the hash range of the keys of a task, if they are ordered. */
  int partition(LongTable table, TaskRange task) {
    return table.partition(scratch.keys.get(task.from()), partitionBits);
  }

  /** Prefetches the part of the table for a task, if it has enough keys. */
  @Override
  void warm(LongTable table, TaskRange task, boolean quiescent) {
    if (isOrdered()
        && task.size() * KIB >= WARM_KEYS_PER_KIB * (table.byteSize() >> partitionBits)) {
      List<Memory> memories =
          quiescent && workers.onJvm() ? table.memoriesToFind() : table.memories();
      scratch.warmed = LongTable.warm(memories, partition(table, task), 1 << partitionBits);
    }
  }

  /** Returns the keys of the batch. */
  Longs keys() {
    return keys.elements();
  }

  /** Returns whether the keys are their own values, so that one copy is enough. */
  boolean isSet() {
    return isSet;
  }

  /** Returns the values of the batch, if it has any. */
  @Nullable Longs values() {
    return values == null ? null : values.elements();
  }

  /** Writes the mask of keys to their places in scratch memory, unless all are included. */
  void putMask(int at, int count, int[] places) {
    for (int i = 0; !options.takeAll() && i < count; i++) {
      scratch.outcomes.set(places[i], options.start(from + at + i));
    }
  }

  /** Copies the keys of a task to where the kernels run, if they are not there. */
  @Override
  void enter(TaskRange task) {
    if (task.isEntered()) {
      return;
    }
    if (!isOrdered()) {
      Span span = Span.staging();
      keys.enter(task);
      if (isSet && values != null) {
        values.enter(task, keys);
      } else if (values != null) {
        values.enter(task);
      }
      for (long i = task.from(); !options.takeAll() && i < task.to(); i++) {
        scratch.outcomes.set(i, options.start(from + i));
      }
      span.moved("keys", task.size() * (values == null ? 1 : 2) * Long.BYTES);
    }
    keys.send(task);
    if (values != null) {
      values.send(task);
    }
    if (!options.takeAll()) {
      workers.send(scratch.outcomeMemory, task.to());
    }
    if (values != null) {
      chooseGiven(store.table(), task);
    }
  }

  /** Copies results of a task to the host, and to the caller unless keys are ordered. */
  @Override
  void leave(TaskRange task) {
    MemorySegment codes = options.outcomes();
    if (found == null && codes == null) {
      return;
    }
    if (found != null) {
      found.fetch(task);
    }
    if (codes != null || !options.takeAll()) {
      workers.readBack(scratch.outcomeMemory, task.to());
    }
    if (isOrdered()) {
      return;
    }
    Span span = Span.staging();
    if (codes != null) {
      MemorySegment.copy(
          scratch.outcomes.segment(), task.from(), codes, from + task.from(), task.size());
    }
    if (found != null && options.takeAll()) {
      found.leave(task);
    } else if (found != null) {
      found.leaveTaken(task, scratch.outcomes);
    }
    span.moved(
        "results", task.size() * ((codes == null ? 0 : 1) + (found == null ? 0 : Long.BYTES)));
  }

  /** Copies results of all tasks to the caller, if keys are ordered. */
  @Override
  void end() {
    LongOrder used = order;
    if (used != null && (found != null || options.outcomes() != null)) {
      used.forSlices("return in order", this::collect);
    }
  }

  private void collect(int at, int count, int[] places) {
    MemorySegment codes = options.outcomes();
    for (int i = 0; codes != null && i < count; i++) {
      byte code = scratch.outcomes.get(places[i]);
      codes.set(
          ValueLayout.JAVA_BYTE, from + at + i, code == MapCodes.PENDING ? MapCodes.SKIPPED : code);
    }
    if (found != null) {
      found.collect(at, count, places, options.takeAll(), scratch.outcomes);
    }
  }
}
