package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert of numbers; see {@link Insertion}.
 *
 * <p>Where keys are in the order of the table and no other update runs, workers own regions: those
 * of even number are done first and those of odd number then, so that each worker has the next
 * region for keys that find no slot in their own, and nobody claims a slot beside it. The few keys
 * that would have to go beyond that are left to a round in which slots are claimed. So are all, if
 * the table has become too small for the regions since they were chosen.
 *
 * <p>If keys are on a device and there is capacity for all, they are one step, and are partitioned
 * if that pays: {@link PartitionedInsert}.
 *
 * <p>If there is not the memory to grow, each key was inserted, or was not tried and is SKIPPED.
 */
@IntTwin
public final class LongInsertion extends Insertion<LongTable> {

  /** Most keys of a step of a region, for which room is taken at once. */
  private static final int REGION_STEP = 1 << 16;

  /** In place of the last slot that a worker owns: it owns all. */
  private static final long ALL = -1;

  private final LongStore store;
  private final LongBatch batch;
  private final LongScratch stage;
  private final Change change;
  private final @Nullable EntryPredicate predicate;
  private final int flags;
  private final long later;

  private LongInsertion(
      LongStore store,
      LongBatch batch,
      Change change,
      @Nullable EntryPredicate predicate,
      int flags,
      long later,
      Sums sums) {
    super(store, batch.workers(), batch.stage(), sums);
    this.store = store;
    this.batch = batch;
    this.stage = batch.stage();
    this.change = change;
    this.predicate = predicate;
    this.flags = flags;
    this.later = later;
  }

  /** Inserts keys, one batch after the other. */
  static InsertCounts run(
      LongStore store,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    EntryPredicate predicate = options.entries();
    boolean resident =
        LongResident.holds(store, options, keys, values, found)
            || (LongResident.reaches(store, options, keys, values, found)
                && PartitionedInsert.isCached(store.table(), keys.length()));
    store.settle();
    Sums sums = new Sums();
    boolean outcomes = options.outcomes() != null || (found != null && !resident);
    int flags = (options.takeAll() ? 0 : MapCodes.MASKED) + (outcomes ? MapCodes.OUTCOMES : 0);
    try {
      if (resident) {
        try (LongResident all = LongResident.toInsert(store, keys, values, found, options, flags)) {
          all.orSkipped(
              () -> new LongInsertion(store, all.batch(), change, null, flags, 0, sums).run());
        }
        return sums.inserts(store.name(), store.device());
      }
      BulkOptions kept = options.skipAll(keys.length());
      Pieces.Piece run =
          (from, length, later) -> {
            Workers workers = LongBatch.workersFor(store, length, true);
            int regionBits = LongBatch.regionBits(workers, store.table(), length, true);
            LongScratch stage = store.stages().borrow(length, workers.count(), regionBits > 0);
            try {
              LongBatch batch =
                  new LongBatch(
                      workers, keys, values, found, kept, from, length, stage, regionBits);
              new LongInsertion(store, batch, change, predicate, flags, later, sums).run();
            } finally {
              store.stages().giveBack(stage, workers.batchesAtOnce());
            }
          };
      LongBatch.run(store, keys.length(), true, !store.defers(), run);
      return sums.inserts(store.name(), store.device());
    } catch (GyreException e) {
      throw sums.told(e, keys.length());
    }
  }

  @Override
  void run() {
    if (!batch.isResident()) {
      batch.begin(workers, store.table()).forEach(this::addLeft);
    }
    try {
      if (batch.isResident()) {
        beginOnDevice();
      }
      if (canOwn() && !ownsAll()) {
        var _ = insertAsSole();
      }
      super.run();
    } finally {
      left().forEach(this::skip);
      batch.end();
      store.settle();
    }
  }

  /**
   * Makes keys that are on the device one step. Where there is not even room for a step of usual
   * size, the table grows first. Where there is none for all, as many as have room are one step,
   * since most of them may be there; the others are cut as other keys are, so that the table grows
   * by what of them is new, or are one step, too, where it does not grow.
   */
  private void beginOnDevice() {
    Step whole = batch.whole();
    addLeft(whole);
    LongTable used = store.table();
    long room = batch.roomFor(whole);
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
      long others = store.isFixed() ? whole.to() : Pieces.lengthFor(whole.to());
      Step.cut(first, whole.to(), others).forEach(this::addLeft);
    }
  }

  /**
   * Whether slots have owners if no other update runs: workers of the JVM each a region, or one of
   * them all; on a device blocks.
   */
  private boolean canOwn() {
    return workers.onJvm()
        ? batch.isOrdered() || workers.count() == 1
        : isPartitioned(store.table(), batch.length());
  }

  private boolean isPartitioned(LongTable used, long keys) {
    return batch.isResident() && PartitionedInsert.suits(store, used, keys, change, flags);
  }

  /**
   * Whether one worker owns all slots if no other update runs, also once the table has grown; what
   * it has to wait for it does not do as their owner.
   */
  private boolean ownsAll() {
    return workers.onJvm()
        && workers.count() == 1
        && !batch.isOrdered()
        && left().stream().noneMatch(Step::again);
  }

  @Override
  LongTable insertLeft() {
    LongTable used = ownsAll() ? insertAsSole() : null;
    if (used != null) {
      return used;
    }
    if (batch.isOrdered()) {
      takeLeft().forEach(this::addCut);
    }
    return super.insertLeft();
  }

  /** Leaves a region to the next round, in which it is not one worker's. */
  private void addCut(Step step) {
    if (step.again()) {
      addLeft(step);
    } else {
      Step.cut(step.from(), step.to(), REGION_STEP).forEach(this::addLeft);
    }
  }

  /**
   * A round where no other update runs; leaves what is to be done again. Returns the table that was
   * used, or null if another update runs.
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
                  roomFor(step),
                  (_, counters, _, _) -> launchAlone(used, counters, step, isNew));
            });
      } else if (!batch.isOrdered()) {
        workers.run(
            "insert",
            takeLeft(),
            (worker, step) -> insertStep(used, worker, step, roomFor(step), this::launchOwned));
      } else if (LongOrder.hasRegions(used.slots, batch.regionBits())) {
        insertRegions(used, takeLeft());
      }
      return used;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  private void insertRegions(LongTable used, List<Step> regions) {
    for (int parity = 0; parity < 2; parity++) {
      int odd = parity;
      workers.run(
          "insert into regions",
          regions.stream().filter(r -> r.size() > 0 && (batch.region(used, r) & 1) == odd).toList(),
          (worker, region) -> {
            batch.warm(used, used.memories(), region);
            for (Step step : Step.cut(region.from(), region.to(), REGION_STEP)) {
              insertStep(used, worker, step, roomFor(step), this::launchOwned);
            }
          });
    }
  }

  /** By the worker that owns the region of the keys or, where they are in no order, all slots. */
  private void launchOwned(LongTable used, DeviceLongs counters, Step step, int more) {
    long last =
        batch.isOrdered()
            ? LongOrder.lastOfTwo(batch.region(used, step), batch.regionBits(), used.slots)
            : ALL;
    used.inserts(workers, change)
        .insertOwned(stage.portion(counters, step), last, change.policy(), flags | more);
    if (counters.get(MapCodes.STUCK) > 0) {
      counters.set(MapCodes.STUCK, 0);
      addLeft(step.rest());
    }
  }

  @Override
  void launch(LongTable used, DeviceLongs counters, Step step, int more) {
    batch.warm(used, used.memories(), step);
    if (!store.defers() && BlockAddition.suits(workers, used, step, change, flags | more)) {
      add(used, counters, step, more);
    } else {
      launches.run(
          (options, polls) -> used.insert(workers, stage, counters, step, change, options, polls),
          flags | more,
          step,
          counters);
    }
  }

  /** Adds keys of which some may be frequent. */
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

  /** Inserts the keys of a step while no other update runs, partitioned if that pays. */
  private void launchAlone(LongTable used, DeviceLongs counters, Step step, boolean isNew) {
    boolean partitioned = isPartitioned(used, step.size());
    if (partitioned) {
      chain();
    }
    if (!partitioned
        || !PartitionedInsert.run(
            store, used, stage.batch(), step, change, flags, isNew, counters)) {
      launch(used, counters, step, 0);
    }
  }

  @Override
  Kernel count(LongTable used, DeviceLongs counters, Step step, int options) {
    int mask = step.again() ? 0 : flags & MapCodes.MASKED;
    return used.find(workers, stage, counters, step, options | mask, 1);
  }

  @Override
  void enter(Step step) {
    if (step.isEntered()) {
      return;
    }
    batch.enter(step);
    batch.send(step);
    if (predicate != null) {
      workers.launchOwn(
          new ChooseGiven(stage.batch(), predicate, step.from(), step.to()), step.size());
    }
  }

  @Override
  boolean usesInPlace() {
    return batch.usesInPlace();
  }

  @Override
  void leave(Step step) {
    batch.fetch(step);
    batch.leave(step);
  }

  @Override
  long roomFor(Step step) {
    return batch.roomFor(step);
  }

  @Override
  void growFor(LongTable full, long keys, long atOnce) {
    super.growFor(full, later + keys, atOnce);
  }

  /** Says of keys that were left by their owner, and not tried again, that they were not. */
  private void skip(Step step) {
    for (long i = step.from(); step.again() && i < step.to(); i++) {
      if (stage.outcomes.get(i) == MapCodes.STUCK) {
        stage.outcomes.set(i, MapCodes.SKIPPED);
      }
    }
    if (step.again()) {
      batch.leave(step);
    }
  }
}
