package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bulk insert, in rounds of launches over the steps of its {@link BulkKeys keys}.
 *
 * <p>A step first takes room for all its keys, then runs, then gives back what it did not use; so
 * the device function need not count, and a step that cannot have room is put aside. Steps put
 * aside are done again after growth or, where the capacity is fixed, one after the other and alone,
 * against the room that is left: then the count is exact, and so is what is FULL. One worker puts
 * aside all steps that follow, too, since equal keys are to be taken in their order.
 *
 * <p>A table that is nearly full does not grow if it has room for those of the keys that are new.
 * They are counted first, while no other update runs, and room is taken for them alone. Elements of
 * the host are read once, into scratch memory, and both counted and inserted from there. Elements
 * that kernels use where they lie may change after they were counted; then the claim of a slot
 * takes the room ({@link MapCodes#BOUNDED}).
 *
 * @param <T> the tables that it goes to
 */
class Insertion<T extends FixedTable> {

  /** Where more of a call's keys were new so far, it is not asked whether those are that follow. */
  private static final double MOST_NEW = 0.5;

  private static final double GROWTH_MARGIN = 1.1;

  /** Inserts the keys of a step, and counts what becomes of them. */
  @FunctionalInterface
  interface Launch<T> {

    /**
     * Inserts them.
     *
     * @param more options beside those of the insert
     */
    void run(T used, DeviceLongs counters, Step step, int more);
  }

  final Workers workers;
  final Launches launches;
  final Sums sums;
  private final Store<T, ?> store;
  private final BulkKeys<T> keys;
  private final Scratch stage;
  private final List<Step> left = new ArrayList<>();

  /** Whether a step of this round was put aside. */
  private boolean refused;

  /** Whether a step may take several launches that count at their end only. */
  private boolean chained;

  Insertion(Store<T, ?> store, BulkKeys<T> keys, Sums sums) {
    this.store = store;
    this.keys = keys;
    this.workers = keys.workers;
    this.launches = store.launches();
    this.stage = keys.stage;
    this.sums = sums;
  }

  /** Inserts the keys of a step, beside other inserts or not; a {@link Launch}. */
  void launch(T used, DeviceLongs counters, Step step, int more) {
    keys.warm(used, step, false);
    launches.run(
        (options, polls) -> keys.insert(used, counters, step, options, polls),
        keys.flags | more,
        step,
        counters);
  }

  /** The same where nobody else is there. */
  void launchAlone(T used, DeviceLongs counters, Step step, int more) {
    launch(used, counters, step, more);
  }

  /**
   * Makes room for what is left, unless another thread has done so.
   *
   * @param count how many keys are left
   * @param atOnce keys for which room is taken at the same time
   */
  void growFor(T full, long count, long atOnce) {
    double news = Math.min(1, sums.shareInserted(1) * GROWTH_MARGIN);
    store.grow(full, (long) Math.ceil(count * news), atOnce);
  }

  /** Inserts all keys. */
  final void run() {
    keys.begin(store.table()).forEach(this::addLeft);
    try {
      insertAll();
    } finally {
      left.forEach(this::skip);
      store.settle();
      keys.end();
    }
  }

  /** Inserts the keys of all steps that are left. */
  void insertAll() {
    while (!left.isEmpty()) {
      T used = insertLeft();
      if (!left.isEmpty()) {
        makeRoom(used);
      }
    }
  }

  /** A round: inserts what is left, beside other updates; returns the table that was used. */
  T insertLeft() {
    List<Step> steps = takeLeft();
    Entry entry = store.lock().enterUpdate();
    try {
      T used = store.table();
      workers.run(
          "insert",
          steps,
          (worker, step) -> insertStep(used, worker, step, step.size(), this::launch));
      return used;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /** Inserts the keys of a step; puts it aside, having done nothing, if room is lacking. */
  final void insertStep(T used, int worker, Step step, long room, Launch<T> launch) {
    boolean waits = refused && workers.count() == 1;
    if (waits || !used.take(room)) {
      putAside(step);
    } else {
      insertInto(used, room, stage.freshCounters(worker), step, 0, launch);
    }
  }

  /** Inserts the keys of a step into room that was taken; gives back what was not needed. */
  private void insertInto(
      T used, long room, DeviceLongs counters, Step step, int more, Launch<T> launch) {
    boolean known = true;
    try {
      keys.enter(step);
      known = false;
      launch.run(used, counters, step, more);
      known = true;
      keys.leave(step);
    } catch (LaunchCancelledException e) {
      // It did not begin, and those before it are counted; of one in a chain, nobody knows. Nor of
      // one that a user's strategy threw, which on the JVM runs as this thread, in the middle.
      known |= !chained && !workers.onJvm();
      throw e;
    } finally {
      sums.add(counters);
      used.inserted(counters.get(MapCodes.INSERTED), room, known);
    }
  }

  /** Says that launches are about to be chained. */
  final void chain() {
    chained = true;
  }

  /** Leaves a step to the next round. */
  final void addLeft(Step step) {
    synchronized (left) {
      left.add(step);
    }
  }

  /** Leaves a step to the next round, for which there must be more room. */
  final void putAside(Step step) {
    synchronized (left) {
      refused = true;
      left.add(step);
    }
  }

  /** What is left, in the order in which it came to be. */
  final List<Step> left() {
    return left;
  }

  /** Begins a round. */
  final List<Step> takeLeft() {
    List<Step> taken = List.copyOf(left);
    left.clear();
    refused = false;
    return taken;
  }

  /** Makes room for what is left, or inserts it alone where there is no more to be had. */
  private void makeRoom(T full) {
    if (store.isFixed()) {
      store.lock().exclusively(() -> takeLeft().forEach(this::insertAlone));
      return;
    }
    insertNew(full);
    if (!left.isEmpty()) {
      long count = left.stream().mapToLong(Step::size).sum();
      long largest = left.stream().mapToLong(Step::size).max().orElse(0);
      growFor(full, count, largest * Math.min(left.size(), workers.count()));
    }
  }

  /** Inserts the keys of a step where no more room is to be had; the caller is alone. */
  void insertAlone(Step step) {
    DeviceLongs _ = insertIntoRest(step);
  }

  /** Inserts the keys of a step against the room that is left; returns what became of them. */
  final DeviceLongs insertIntoRest(Step step) {
    T used = store.table();
    DeviceLongs counters = stage.freshCounters(0);
    long room = used.rest();
    boolean _ = used.take(room);
    workers.giveRoom(counters, room);
    insertInto(used, room, counters, step, MapCodes.BOUNDED, this::launch);
    return counters;
  }

  /**
   * Inserts all that is left if a table has room for what of it is new; nothing where another one
   * is in place, or there is much room left, so that most of what is to come is new.
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void insertNew(T full) {
    if (sums.shareInserted(0) <= MOST_NEW && full.size() >= full.capacity / 2) {
      store
          .lock()
          .exclusivelyIf(
              () -> store.table() == full,
              () -> {
                if (store.table() == full) {
                  insertNewAlone(full);
                }
              });
    }
  }

  private void insertNewAlone(T full) {
    AtomicLong free = new AtomicLong(full.capacity - full.size());
    Map<Step, Long> news = new ConcurrentHashMap<>();
    workers.run(
        "find",
        left,
        (worker, step) -> {
          if (free.get() >= 0) {
            long absent = countAbsent(full, worker, step);
            news.put(step.entered(), absent);
            long _ = free.addAndGet(-absent);
          }
        });
    left.replaceAll(step -> news.containsKey(step.entered()) ? step.entered() : step);
    if (free.get() >= 0) {
      workers.run(
          "insert",
          takeLeft(),
          (worker, step) -> insertNews(full, worker, step, news.getOrDefault(step, 0L)));
    }
  }

  /** Inserts the keys of a step, so many of which are new. */
  private void insertNews(T full, int worker, Step step, long news) {
    if (!keys.usesInPlace()) {
      insertStep(full, worker, step, news, this::launchAlone);
      return;
    }
    insertStep(
        full,
        worker,
        step,
        news,
        (used, counters, some, _) -> {
          workers.giveRoom(counters, news);
          launch(used, counters, some, MapCodes.BOUNDED);
        });
  }

  private long countAbsent(T used, int worker, Step step) {
    keys.enter(step);
    DeviceLongs counters = stage.freshCounters(worker);
    int options = workers.options() | MapCodes.QUIESCENT;
    launches.launch(keys.count(used, counters, step, options), step.size(), counters);
    return counters.get(MapCodes.ABSENT);
  }

  /**
   * Says of keys that were left for a following launch, and not tried again, that they were not.
   */
  private void skip(Step step) {
    for (long i = step.from(); step.again() && i < step.to(); i++) {
      if (stage.outcomes.get(i) == MapCodes.STUCK) {
        stage.outcomes.set(i, MapCodes.SKIPPED);
      }
    }
    if (step.again()) {
      keys.leave(step);
    }
  }
}
