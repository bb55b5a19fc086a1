package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
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
 * If keys are on a device and there is capacity for all, they are one step, which may be
 * partitioned: {@link PartitionedInsert}.
 *
 * <p>If the memory to grow is not available, each key was inserted, or was not tried and is
 * SKIPPED.
 */
@IntTwin
public final class LongInsertion extends Insertion<LongTable> {

  /** Largest number of keys of a step of a hash range, for which capacity is reserved at once. */
  private static final int REGION_STEP = 1 << 16;

  /** Stands for the last owned slot if a worker owns all. */
  private static final long ALL = -1;

  private final LongStore store;
  private final LongKeys keys;

  /** The keys if they are in scratch memory; null if they are used in place. */
  private final @Nullable LongBatch batch;

  private final LongScratch stage;
  private final Change change;
  private final long later;

  private LongInsertion(LongStore store, LongKeys keys, long later, Sums sums) {
    super(store, keys, sums);
    this.store = store;
    this.keys = keys;
    this.batch = keys instanceof LongBatch staged ? staged : null;
    this.stage = keys.scratch;
    this.change = keys.change;
    this.later = later;
  }

  /** Inserts keys through scratch memory, batch by batch. */
  static void inBatches(LongStore store, LongKeys.Operands all, Sums sums) {
    BulkOptions kept = all.options().skipAll(all.keys().length());
    LongBatch.forAll(
        store,
        new LongKeys.Operands(all.keys(), all.values(), all.change(), all.found(), kept),
        !store.defers,
        (batch, later) -> new LongInsertion(store, batch, later, sums).run());
  }

  /** Inserts keys on the device. */
  static void inPlace(LongStore store, LongKeys.Operands operands, Sums sums) {
    try (LongResident all = LongResident.toInsert(store, operands)) {
      all.orSkipped(() -> new LongInsertion(store, all.batch(), 0, sums).run());
    }
  }

  @Override
  void insertAll() {
    if (batch == null) {
      beginOnDevice();
    }
    if (canOwn() && !ownsAll()) {
      var _ = insertAsSole();
    }
    super.insertAll();
  }

  private boolean isOrdered() {
    return batch != null && batch.isOrdered();
  }

  /**
   * Makes keys on the device one step.
   *
   * <p>If there is not even capacity for a step of usual size, the table grows first. If there is
   * not enough for all, as many keys as there is capacity for are one step, because many may be
   * present. The others are cut into usual steps, so that the table grows by the new ones, or are
   * one step if it does not grow.
   */
  private void beginOnDevice() {
    LongTable used = store.table();
    long room = leftKeys();
    long usual = Math.min(room, Pieces.lengthFor(room));
    if (used.capacity - used.taken() < usual && !store.isFixed()) {
      insertNew(used);
      if (left().isEmpty()) {
        return;
      }
      store.grow(used, room, usual);
      used = store.table();
    }
    long free = used.capacity - used.taken();
    if (free < room) {
      List<Step> _ = takeLeft();
      long first = free < usual ? 0 : free;
      Step.cut(0, first, Math.max(1, first)).forEach(this::addLeft);
      long others = store.isFixed() ? room : Pieces.lengthFor(room);
      Step.cut(first, room, others).forEach(this::addLeft);
    }
  }

  /**
   * Returns whether slots have owners if no other update runs: each worker of the JVM a hash range,
   * or one worker all; on a device, blocks.
   */
  private boolean canOwn() {
    return workers.onJvm()
        ? isOrdered() || workers.count() == 1
        : isPartitioned(store.table(), leftKeys());
  }

  private boolean isPartitioned(LongTable used, long count) {
    return batch == null && PartitionedInsert.suits(store, used, count, change, keys.flags);
  }

  private long leftKeys() {
    return left().stream().mapToLong(Step::size).sum();
  }

  /**
   * Returns whether one worker owns all slots if no other update runs, also after growth. It does
   * not own slots for which it must wait.
   */
  private boolean ownsAll() {
    return workers.onJvm()
        && workers.count() == 1
        && !isOrdered()
        && left().stream().noneMatch(Step::again);
  }

  @Override
  LongTable insertLeft() {
    LongTable used = ownsAll() ? insertAsSole() : null;
    if (used != null) {
      return used;
    }
    if (isOrdered()) {
      takeLeft().forEach(this::addCut);
    }
    return super.insertLeft();
  }

  /** Leaves a hash range to the next round, in which it has no owner. */
  private void addCut(Step step) {
    if (step.again()) {
      addLeft(step);
    } else {
      Step.cut(step.from(), step.to(), REGION_STEP).forEach(this::addLeft);
    }
  }

  /**
   * Runs an exclusive round, and leaves the rest to the next one. Returns the table that was used,
   * or null if another update runs.
   */
  private @Nullable LongTable insertAsSole() {
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
            (worker, step) -> {
              boolean isNew = used.taken() == 0;
              insertStep(
                  used,
                  worker,
                  step,
                  step.size(),
                  (_, counters, _, _) -> launchAlone(used, counters, step, isNew));
            });
      } else if (batch == null || !batch.isOrdered()) {
        workers.run(
            "insert",
            takeLeft(),
            (worker, step) -> insertStep(used, worker, step, step.size(), this::launchOwned));
      } else if (LongOrder.hasRegions(used.slots, batch.regionBits())) {
        insertRegions(batch, used, takeLeft());
      }
      return used;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  private void insertRegions(LongBatch ordered, LongTable used, List<Step> regions) {
    for (int parity = 0; parity < 2; parity++) {
      int odd = parity;
      workers.run(
          "insert into regions",
          regions.stream()
              .filter(r -> r.size() > 0 && (ordered.region(used, r) & 1) == odd)
              .toList(),
          (worker, region) -> {
            ordered.warm(used, region, false);
            for (Step step : Step.cut(region.from(), region.to(), REGION_STEP)) {
              insertStep(used, worker, step, step.size(), this::launchOwned);
            }
          });
    }
  }

  /**
   * Launches an insert by the worker that owns the hash range of the keys or, if they are not
   * ordered, all slots.
   */
  private void launchOwned(LongTable used, DeviceLongs counters, Step step, int more) {
    long last =
        batch != null && batch.isOrdered()
            ? LongOrder.lastOfTwo(batch.region(used, step), batch.regionBits(), used.slots)
            : ALL;
    used.inserts(workers, change)
        .insertOwned(stage.portion(counters, step), last, change.policy(), keys.flags | more);
    if (counters.get(MapCodes.STUCK) > 0) {
      counters.set(MapCodes.STUCK, 0);
      addLeft(step.rest());
    }
  }

  @Override
  void launch(LongTable used, DeviceLongs counters, Step step, int more) {
    if (!store.defers && BlockAddition.suits(workers, used, step, change, keys.flags | more)) {
      add(used, counters, step, more);
    } else {
      super.launch(used, counters, step, more);
    }
  }

  /** Adds keys, some of which may be frequent. */
  private void add(LongTable used, DeviceLongs counters, Step step, int options) {
    Slots table = used.inKernels();
    long polls = store.pollLimit();
    List<ChainLink> links =
        new ArrayList<>(
            BlockAddition.together(workers, table, stage.batch(), counters, step, options, polls));
    links.add(
        BlockAddition.apart(workers, table, stage.batch(), counters, step, change, options, polls));
    chain();
    workers.launch(links, counters);
  }

  @Override
  void launchAlone(LongTable used, DeviceLongs counters, Step step, int more) {
    launchAlone(used, counters, step, false);
  }

  /** Inserts the keys of a step while no other update runs, partitioned if that is faster. */
  private void launchAlone(LongTable used, DeviceLongs counters, Step step, boolean isNew) {
    boolean partitioned = isPartitioned(used, step.size());
    if (partitioned) {
      chain();
    }
    if (!partitioned
        || !PartitionedInsert.run(
            store, used, stage.batch(), step, change, keys.flags, isNew, counters)) {
      launch(used, counters, step, 0);
    }
  }

  @Override
  void growFor(LongTable full, long count, long atOnce) {
    super.growFor(full, later + count, atOnce);
  }
}
