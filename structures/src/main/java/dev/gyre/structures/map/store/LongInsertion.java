package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.LongLaunches;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.NewKeys;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert, in rounds of launches.
 *
 * <p>A step first takes room for all its keys, then runs, then gives back what it did not use; so
 * the device function need not count, and a step that cannot have room is put aside. Steps put
 * aside are done again after growth or, where the capacity is fixed, one after the other and alone,
 * against the room that is left: then the count is exact, and so is what is FULL. One worker puts
 * aside all steps that follow, too, since equal keys are to be taken in their order.
 *
 * <p>Where keys are in the order of the table and no other update runs, workers own regions: those
 * of even number are done first and those of odd number then, so that each worker has the next
 * region for keys that find no slot in their own, and nobody claims a slot beside it. The few keys
 * that would have to go beyond that are left to a round in which slots are claimed. So are all, if
 * the table has become too small for the regions since they were chosen.
 *
 * <p>Keys that are on a device are one step where there is room for all, and go by regions, each of
 * which a block owns, where that pays: {@link RegionInsertion}.
 *
 * <p>A table that is nearly full does not grow where the keys that are left are there: {@link
 * NewKeys}.
 *
 * <p>If there is not the memory to grow, each key was inserted, or was not tried and is SKIPPED.
 */
public final class LongInsertion {

  private static final double GROWTH_MARGIN = 1.1;

  /** Most keys of a step of a region, for which room is taken at once. */
  private static final int REGION_STEP = 1 << 16;

  /** In place of the last slot that a worker owns: it owns all. */
  private static final long ALL = -1;

  /** Launches a step whose keys are in the stage; returns how many were inserted. */
  @FunctionalInterface
  private interface Launch {
    long run();
  }

  private final LongStore store;
  private final Workers workers;
  private final LongBatch batch;
  private final LongScratch stage;
  private final LongLaunches launches;
  private final Change change;
  private final @Nullable EntryPredicate predicate;
  private final int flags;
  private final long later;
  private final Sums sums;
  private final List<Step> left = new ArrayList<>();

  /** Whether a step may take several launches. */
  private boolean severalLaunches;

  /** Whether a step of this round found no room. */
  private boolean refused;

  private LongInsertion(
      LongStore store,
      LongBatch batch,
      Change change,
      @Nullable EntryPredicate predicate,
      int flags,
      long later,
      Sums sums) {
    this.store = store;
    this.workers = batch.workers();
    this.batch = batch;
    this.stage = batch.stage();
    this.launches = store.launches();
    this.change = change;
    this.predicate = predicate;
    this.flags = flags;
    this.later = later;
    this.sums = sums;
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
                && RegionInsertion.isCached(store, store.table(), keys.length()));
    store.settle();
    Sums sums = new Sums();
    boolean outcomes = options.outcomes() != null || (found != null && !resident);
    int flags = (options.takeAll() ? 0 : MapCodes.MASKED) + (outcomes ? MapCodes.OUTCOMES : 0);
    if (resident) {
      return sums.inserts(
          keys.length(),
          store.name(),
          store.device(),
          () -> {
            try (LongResident all =
                LongResident.toInsert(store, keys, values, found, options, flags)) {
              all.orSkipped(
                  () -> new LongInsertion(store, all.batch(), change, null, flags, 0, sums).run());
            }
          });
    }
    BulkOptions kept = options.skipAll(keys.length());
    Pieces.Piece run =
        (from, length, later) -> {
          Workers workers = LongBatch.workersFor(store, length, true);
          int regionBits = LongBatch.regionBits(workers, store.table(), length, true);
          LongScratch stage = store.stages().borrow(length, workers.count(), regionBits > 0);
          try {
            LongBatch batch =
                new LongBatch(workers, keys, values, found, kept, from, length, stage, regionBits);
            new LongInsertion(store, batch, change, predicate, flags, later, sums).run();
          } finally {
            store.stages().giveBack(stage, workers.batchesAtOnce());
          }
        };
    return sums.inserts(
        keys.length(),
        store.name(),
        store.device(),
        () -> LongBatch.run(store, keys.length(), true, !store.defers(), run));
  }

  /**
   * Inserts the keys of a batch that is where the kernels run.
   *
   * @param later keys that are to come after these
   */
  static void run(
      LongStore store,
      LongBatch batch,
      Change change,
      @Nullable EntryPredicate predicate,
      int flags,
      long later,
      Sums sums) {
    store.settle();
    new LongInsertion(store, batch, change, predicate, flags, later, sums).run();
  }

  private void run() {
    if (!batch.isResident()) {
      left.addAll(batch.begin(workers, store.table()));
    }
    try {
      if (batch.isResident()) {
        beginOnDevice();
      }
      if (canOwn() && !ownsAll()) {
        var _ = insertAsSole();
      }
      while (!left.isEmpty()) {
        LongTable used = ownsAll() ? insertAsSole() : null;
        if (used == null) {
          used = insertTogether();
        }
        if (!left.isEmpty()) {
          makeRoom(used);
        }
      }
    } finally {
      left.forEach(this::skip);
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
    Step whole = new Step(0, batch.length());
    left.add(whole);
    LongTable used = store.table();
    long room = batch.roomFor(whole);
    long usual = Math.min(room, Pieces.lengthFor(room));
    if (used.capacity - used.taken() < usual && !store.isFixed()) {
      if (insertNew(used)) {
        return;
      }
      store.grow(used, room, usual);
      used = store.table();
    }
    long free = used.capacity - used.taken();
    if (free < room) {
      left.clear();
      long first = free < usual ? 0 : free;
      left.addAll(Step.cut(0, first, Math.max(1, first)));
      long others = store.isFixed() ? whole.to() : Pieces.lengthFor(whole.to());
      left.addAll(Step.cut(first, whole.to(), others));
    }
  }

  /**
   * Whether slots have owners if no other update runs: workers of the JVM each a region, or one of
   * them all; on a device blocks.
   */
  private boolean canOwn() {
    return workers.onJvm()
        ? batch.isOrdered() || workers.count() == 1
        : suitsRegions(
            store.table(),
            batch.length(),
            batch.roomFor(new Step(0, batch.length())),
            store.table().taken() == 0);
  }

  /** Whether keys go by regions, of which some have no room yet. */
  private boolean suitsRegions(LongTable used, long keys, long untaken, boolean isNew) {
    return batch.isResident()
        && RegionInsertion.suits(store, used, keys, untaken, isNew, change, flags);
  }

  /**
   * Whether one worker owns all slots if no other update runs, also once the table has grown; what
   * it has to wait for it does not do as their owner.
   */
  private boolean ownsAll() {
    return workers.onJvm()
        && workers.count() == 1
        && !batch.isOrdered()
        && left.stream().noneMatch(Step::again);
  }

  /**
   * Inserts where no other update runs; leaves what is to be done again. Returns the table that was
   * used, or null if another update runs.
   */
  private @Nullable LongTable insertAsSole() {
    if (!store.gate().tryEnterSole()) {
      return null;
    }
    try {
      LongTable used = store.table();
      if (!workers.onJvm()) {
        insertOnDevice(used);
        return used;
      }
      boolean regions = batch.isOrdered() && LongOrder.hasRegions(used.slots, batch.regionBits());
      if (regions) {
        insertRegions(used, takeLeft());
      } else if (workers.count() == 1) {
        workers.run("insert", takeLeft(), (worker, step) -> insertOwned(used, worker, step, ALL));
      }
      return used;
    } finally {
      store.gate().leave(Gate.Mode.SOLE_UPDATE);
    }
  }

  /** Inserts by regions what is worth it; leaves the rest. */
  private void insertOnDevice(LongTable used) {
    workers.run(
        "insert by regions",
        takeLeft(),
        (worker, step) -> {
          boolean isNew = used.taken() == 0;
          insertStep(used, step, () -> insertAsSole(used, worker, step, isNew));
        });
  }

  /** Inserts the keys of a step beside no other update, by regions if it is worth it. */
  private long insertAsSole(LongTable used, int worker, Step step, boolean isNew) {
    long inserted = RegionInsertion.NOT_DONE;
    if (suitsRegions(used, step.size(), 0, isNew)) {
      severalLaunches = true;
      inserted =
          RegionInsertion.run(
              store,
              used,
              stage.batch(),
              step,
              change,
              flags,
              isNew,
              stage.freshCounters(worker),
              sums);
    }
    return inserted == RegionInsertion.NOT_DONE
        ? launch(used, stage.freshCounters(worker), step, 0)
        : inserted;
  }

  private void insertRegions(LongTable used, List<Step> regions) {
    for (int parity = 0; parity < 2; parity++) {
      int odd = parity;
      workers.run(
          "insert into regions",
          regions.stream().filter(r -> r.size() > 0 && (batch.region(used, r) & 1) == odd).toList(),
          (worker, region) -> insertRegion(used, worker, region));
    }
  }

  private void insertRegion(LongTable used, int worker, Step region) {
    long last = LongOrder.lastOfTwo(batch.region(used, region), batch.regionBits(), used.slots);
    batch.warm(used, used.memories(), region);
    for (Step step : Step.cut(region.from(), region.to(), REGION_STEP)) {
      insertOwned(used, worker, step, last);
    }
  }

  private void insertOwned(LongTable used, int worker, Step step, long last) {
    DeviceLongs counters = stage.freshCounters(worker);
    insertStep(
        used,
        step,
        () -> {
          used.inserts(workers, change)
              .insertOwned(stage.portion(counters, step), last, change.policy(), flags);
          sums.add(counters);
          return counters.get(MapCodes.INSERTED);
        });
    long stuck = counters.get(MapCodes.STUCK);
    if (stuck > 0) {
      sums.retract(stuck);
      leave(step.rest());
    }
  }

  /** Inserts what is left beside other updates; returns the table that was used. */
  private LongTable insertTogether() {
    List<Step> steps = new ArrayList<>();
    for (Step step : takeLeft()) {
      steps.addAll(
          batch.isOrdered() && !step.again()
              ? Step.cut(step.from(), step.to(), REGION_STEP)
              : List.of(step));
    }
    store.gate().enterUpdate();
    try {
      LongTable used = store.table();
      workers.run(
          "insert",
          steps,
          (worker, step) -> {
            batch.warm(used, used.memories(), step);
            DeviceLongs counters = stage.freshCounters(worker);
            insertStep(used, step, () -> launch(used, counters, step, 0));
          });
      return used;
    } finally {
      store.gate().leave(Gate.Mode.UPDATE);
    }
  }

  /** Inserts the keys of a step; leaves it for later, having done nothing, if room is lacking. */
  private void insertStep(LongTable used, Step step, Launch launch) {
    boolean waits = refused && workers.count() == 1;
    long room = batch.roomFor(step);
    if (waits || !used.take(room)) {
      refuse(step);
      return;
    }
    insertInto(used, room, step, launch);
  }

  /** Inserts the keys of a step into room that was taken; gives back what was not needed. */
  private void insertInto(LongTable used, long room, Step step, Launch launch) {
    long inserted = 0;
    boolean known = true;
    try {
      batch.enter(step);
      batch.send(step);
      choose(step);
      known = false;
      inserted = launch.run();
      known = true;
      batch.fetch(step);
      batch.leave(step);
    } catch (LaunchCancelledException e) {
      // It did not begin; of one that was to follow it, nobody knows.
      known |= !store.defers() && !severalLaunches;
      throw e;
    } finally {
      used.giveBack(room - inserted, known);
    }
  }

  /** Has the keys of a step chosen, unless an earlier launch did them. */
  private void choose(Step step) {
    if (predicate != null && !step.again()) {
      workers.launchOwn(
          new ChooseGiven(stage.batch(), predicate, step.from(), step.to()), step.size());
    }
  }

  private long launch(LongTable used, DeviceLongs counters, Step step, int more) {
    if (!store.defers() && BlockAddition.suits(workers, used, step, change, flags | more)) {
      return add(used, counters, step, more);
    }
    return launches.run(
        options ->
            used.insert(workers, stage, counters, step, change, options, launches.pollLimit()),
        flags | more,
        step,
        counters,
        sums);
  }

  /** Adds keys of which some may be frequent. */
  private long add(LongTable used, DeviceLongs counters, Step step, int options) {
    Slots table = used.inKernels();
    long polls = launches.pollLimit();
    List<ChainLink> links =
        new ArrayList<>(
            BlockAddition.together(workers, table, stage.batch(), counters, step, options, polls));
    links.add(
        BlockAddition.apart(workers, table, stage.batch(), counters, step, change, options, polls));
    severalLaunches = true;
    workers.launch(links, counters);
    sums.add(counters);
    return counters.get(MapCodes.INSERTED);
  }

  private void leave(Step step) {
    synchronized (left) {
      left.add(step);
    }
  }

  private void refuse(Step step) {
    synchronized (left) {
      refused = true;
      left.add(step);
    }
  }

  private List<Step> takeLeft() {
    List<Step> taken = new ArrayList<>(left);
    left.clear();
    refused = false;
    return taken;
  }

  /** Makes room for what is left, or inserts it alone where there is no more to be had. */
  private void makeRoom(LongTable full) {
    if (store.isFixed()) {
      insertAlone();
      return;
    }
    if (insertNew(full)) {
      return;
    }
    long keys = left.stream().mapToLong(batch::roomFor).sum();
    long largest = left.stream().mapToLong(batch::roomFor).max().orElse(0);
    double newKeys = Math.min(1, sums.shareInserted(1) * GROWTH_MARGIN);
    store.grow(
        full,
        (long) Math.ceil((later + keys) * newKeys),
        largest * Math.min(left.size(), workers.count()));
  }

  /** Inserts all that is left if a table has room for what of it is new; returns whether it had. */
  private boolean insertNew(LongTable full) {
    boolean inserted =
        sums.shareInserted(0) <= NewKeys.MOST_NEW
            && NewKeys.insert(
                store.gate(),
                workers,
                store::table,
                full,
                left,
                (worker, step) -> countAbsent(full, worker, step),
                (worker, step, room) ->
                    insertInto(full, room, step, () -> insertAsSole(full, worker, step, false)));
    if (inserted) {
      left.clear();
    }
    return inserted;
  }

  /** How many keys of a step are not there, with those that a predicate will leave out. */
  private long countAbsent(LongTable used, int worker, Step step) {
    DeviceLongs counters = stage.freshCounters(worker);
    batch.enter(step);
    batch.send(step);
    int mask = step.again() ? 0 : flags & MapCodes.MASKED;
    int options = workers.options() | MapCodes.QUIESCENT | mask;
    workers.launch(
        used.find(workers, stage, counters, step, options, launches.pollLimit()),
        step.size(),
        counters);
    return counters.get(MapCodes.ABSENT);
  }

  private void insertAlone() {
    store.gate().enterExclusive();
    try {
      LongTable used = store.table();
      for (Step step : takeLeft()) {
        DeviceLongs counters = stage.freshCounters(0);
        long room = used.capacity - used.taken();
        boolean _ = used.take(room);
        workers.giveRoom(counters, room);
        insertInto(used, room, step, () -> launch(used, counters, step, MapCodes.BOUNDED));
      }
    } finally {
      store.gate().leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Says of the keys of a step on the host that were not tried that they were not. */
  private void skip(Step step) {
    for (long i = step.from(); !batch.isResident() && i < step.to(); i++) {
      if (!step.again() || stage.outcomes.get(i) == MapCodes.STUCK) {
        stage.outcomes.set(i, MapCodes.SKIPPED);
      }
    }
    if (step.again()) {
      batch.leave(step);
    }
  }
}
