package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.table.BlockAggregation;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.TaskRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bulk insert of numbers; see {@link Insertion}.
 *
 * <h2>Exclusive inserts</h2>
 *
 * If keys are in the order of the table and no other update runs, each worker owns a hash range of
 * the table. Even ranges are processed first, then odd ones. So each worker also owns the following
 * range, for keys that find no slot in their own, and no thread claims a neighbouring slot. The few
 * keys beyond that remain for a round that claims slots. So do all keys if the table has become too
 * small for the ranges.
 *
 * <h2>Devices</h2>
 *
 * If keys are on a device and there is capacity for all, they are one task, which may be
 * partitioned: {@link PartitionedInsert}.
 *
 * <p>If the memory to grow is not available, each key was inserted, or was not tried and is
 * SKIPPED.
 */
@IntSpecialized
public final class LongInsertion extends Insertion<LongTable> {

  /** Largest number of keys of a task of a hash range, for which capacity is reserved at once. */
  private static final int PARTITION_TASK_KEYS = 1 << 16;

  /** Stands for the last owned slot if a worker owns all. */
  private static final long ALL = -1;

  private final LongStore store;
  private final LongKeys keys;

  /** The keys if they are in scratch memory; null if they are used in place. */
  private final @Nullable LongBatch batch;

  private final LongScratch scratch;
  private final Change change;
  private final long later;

  private LongInsertion(LongStore store, LongKeys keys, long later, OutcomeCounts sums) {
    super(store, keys, sums);
    this.store = store;
    this.keys = keys;
    this.batch = keys instanceof LongBatch staged ? staged : null;
    this.scratch = keys.scratch;
    this.change = keys.change;
    this.later = later;
  }

  /** Inserts keys through scratch memory, batch by batch. */
  static void inBatches(LongStore store, LongKeys.Operands all, OutcomeCounts sums) {
    BulkOptions kept = all.options().skipAll(all.keys().length());
    LongBatch.forAll(
        store,
        new LongKeys.Operands(all.keys(), all.values(), all.change(), all.found(), kept),
        !store.defers,
        (batch, later) -> new LongInsertion(store, batch, later, sums).run());
  }

  /** Inserts keys on the device. */
  static void inPlace(LongStore store, LongKeys.Operands operands, OutcomeCounts sums) {
    try (LongDeviceBatch all = LongDeviceBatch.toInsert(store, operands)) {
      all.orSkipped(() -> new LongInsertion(store, all.batch(), 0, sums).run());
    }
  }

  @Override
  void insertAll() {
    if (batch == null) {
      beginOnDevice();
    }
    if (canBeExclusive() && !isExclusive()) {
      var _ = insertAllExclusive();
    }
    super.insertAll();
  }

  private boolean isOrdered() {
    return batch != null && batch.isOrdered();
  }

  /**
   * Makes keys on the device one task.
   *
   * <p>If there is not even capacity for a task of usual size, the table grows first. If there is
   * not enough for all, as many keys as there is capacity for are one task, because many may be
   * present. The others are cut into usual tasks, so that the table grows by the new ones, or are
   * one task if it does not grow.
   */
  private void beginOnDevice() {
    LongTable used = store.table();
    long capacity = leftKeys();
    long usual = Math.min(capacity, Pieces.lengthFor(capacity));
    if (used.capacity - used.taken() < usual && !store.isFixed()) {
      insertNew(used);
      if (left().isEmpty()) {
        return;
      }
      store.grow(used, Math.max(capacity, usual), 0);
      used = store.table();
    }
    long free = used.capacity - used.taken();
    if (free < capacity) {
      List<TaskRange> _ = takeLeft();
      long first = free < usual ? 0 : free;
      TaskRange.cut(0, first, Math.max(1, first)).forEach(this::addLeft);
      long others = store.isFixed() ? capacity : Pieces.lengthFor(capacity);
      TaskRange.cut(first, capacity, others).forEach(this::addLeft);
    }
  }

  /**
   * Returns whether slots have owners if no other update runs: each worker of the JVM a hash range,
   * or one worker all; on a device, blocks.
   */
  private boolean canBeExclusive() {
    return workers.onJvm()
        ? isOrdered() || workers.count() == 1
        : isPartitioned(store.table(), leftKeys());
  }

  private boolean isPartitioned(LongTable used, long count) {
    return batch == null && PartitionedInsert.suits(store, used, count, change, keys.flags);
  }

  private long leftKeys() {
    return left().stream().mapToLong(TaskRange::size).sum();
  }

  /**
   * Returns whether one worker owns all slots if no other update runs, also after growth. It does
   * not own slots for which it must wait.
   */
  private boolean isExclusive() {
    return workers.onJvm()
        && workers.count() == 1
        && !isOrdered()
        && left().stream().noneMatch(TaskRange::again);
  }

  @Override
  LongTable insertLeft() {
    LongTable used = isExclusive() ? insertAllExclusive() : null;
    if (used != null) {
      return used;
    }
    if (isOrdered()) {
      takeLeft().forEach(this::addCut);
    }
    return super.insertLeft();
  }

  /** Leaves a hash range to the next round, in which it has no owner. */
  private void addCut(TaskRange task) {
    if (task.again()) {
      addLeft(task);
    } else {
      TaskRange.cut(task.from(), task.to(), PARTITION_TASK_KEYS).forEach(this::addLeft);
    }
  }

  /**
   * Runs an exclusive round, and leaves the rest to the next one. Returns the table that was used,
   * or null if another update runs.
   */
  private @Nullable LongTable insertAllExclusive() {
    Entry entry = store.lock().tryEnterExclusiveUpdate();
    if (entry == null) {
      return null;
    }
    try {
      LongTable used = store.table();
      if (!workers.onJvm()) {
        workers.run(
            "insert partitioned",
            takeLeft(),
            (worker, task) -> {
              boolean isNew = used.taken() == 0;
              insertTask(
                  used,
                  worker,
                  task,
                  task.size(),
                  (_, counters, _, _) -> launchAlone(used, counters, task, isNew));
            });
      } else if (batch == null || !batch.isOrdered()) {
        workers.run(
            "insert",
            takeLeft(),
            (worker, task) -> insertTask(used, worker, task, task.size(), this::launchExclusive));
      } else if (LongOrder.hasPartitions(used.slots, batch.partitionBits())) {
        insertPartitions(batch, used, takeLeft());
      }
      return used;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  private void insertPartitions(LongBatch ordered, LongTable used, List<TaskRange> partitions) {
    for (int parity = 0; parity < 2; parity++) {
      int odd = parity;
      workers.run(
          "insert into partitions",
          partitions.stream()
              .filter(r -> r.size() > 0 && (ordered.partition(used, r) & 1) == odd)
              .toList(),
          (worker, partition) -> {
            ordered.warm(used, partition, false);
            for (TaskRange task :
                TaskRange.cut(partition.from(), partition.to(), PARTITION_TASK_KEYS)) {
              insertTask(used, worker, task, task.size(), this::launchExclusive);
            }
          });
    }
  }

  /**
   * Launches an insert by the worker that owns the hash range of the keys or, if they are not
   * ordered, all slots.
   */
  private void launchExclusive(LongTable used, DeviceLongs counters, TaskRange task, int more) {
    long last =
        batch != null && batch.isOrdered()
            ? LongOrder.lastOfTwo(batch.partition(used, task), batch.partitionBits(), used.slots)
            : ALL;
    used.inserts(workers, change)
        .insertExclusive(scratch.range(counters, task), last, change.policy(), keys.flags | more);
    if (counters.get(MapCodes.STUCK) > 0) {
      counters.set(MapCodes.STUCK, 0);
      addLeft(task.rest());
    }
  }

  @Override
  void launch(LongTable used, DeviceLongs counters, TaskRange task, int more) {
    if (!store.defers && BlockAggregation.suits(workers, used, task, change, keys.flags | more)) {
      add(used, counters, task, more);
    } else {
      super.launch(used, counters, task, more);
    }
  }

  /** Adds keys, some of which may be frequent. */
  private void add(LongTable used, DeviceLongs counters, TaskRange task, int options) {
    Slots table = used.inKernels();
    long polls = store.pollLimit();
    BlockAggregation all =
        new BlockAggregation(
            workers, table, scratch.batch(), counters, task, change, options, polls);
    List<ChainLink> links = new ArrayList<>(all.inBlocks());
    links.add(all.directly());
    chain();
    workers.launch(links, counters);
  }

  @Override
  void launchAlone(LongTable used, DeviceLongs counters, TaskRange task, int more) {
    launchAlone(used, counters, task, false);
  }

  /** Inserts the keys of a task while no other update runs, partitioned if that is faster. */
  private void launchAlone(LongTable used, DeviceLongs counters, TaskRange task, boolean isNew) {
    boolean partitioned = isPartitioned(used, task.size());
    if (partitioned) {
      chain();
    }
    if (!partitioned
        || !PartitionedInsert.run(
            store, used, scratch.batch(), task, change, keys.flags, isNew, counters)) {
      launch(used, counters, task, 0);
    }
  }

  @Override
  void growFor(LongTable full, long count, long atOnce) {
    super.growFor(full, later + count, atOnce);
  }
}
