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
 * Bulk insert, in rounds of launches over the steps of its {@link BulkKeys keys}.
 *
 * <h2>Reservations</h2>
 *
 * A step first reserves capacity for all its keys, then runs, then returns the unused reservations.
 * So the device function need not count. A step without enough capacity is put aside. Steps that
 * were put aside run again after growth. If the capacity is fixed, they run one after another,
 * exclusively and against the remaining capacity, so that the counts and FULL outcomes are exact. A
 * single worker also puts aside all later steps, because it takes equal keys in order.
 *
 * <h2>Growth</h2>
 *
 * An almost full table does not grow if it has capacity for the new keys. These are counted first,
 * while no other update runs, and capacity is reserved for them only. Elements of the host are read
 * once into scratch memory, and counted and inserted from there. Elements that kernels use in place
 * may change after the count. Then the claim of a slot takes the capacity ({@link
 * MapCodes#BOUNDED}).
 *
 * @param <T> tables of the insert
 */
class Insertion<T extends FixedTable> {

  /** Share of new keys of a call from which the new keys among the rest are not counted. */
  private static final double MOST_NEW = 0.5;

  private static final double GROWTH_MARGIN = 1.1;

  /** Inserts the keys of a step, and counts their outcomes. */
  @FunctionalInterface
  interface Launch<T> {

    /**
     * Inserts the keys.
     *
     * @param more further options
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

  /** Whether a step may consist of several launches that count only at their end. */
  private boolean chained;

  Insertion(Store<T, ?> store, BulkKeys<T> keys, Sums sums) {
    this.store = store;
    this.keys = keys;
    this.workers = keys.workers;
    this.launches = store.launches();
    this.stage = keys.stage;
    this.sums = sums;
  }

  /** Inserts the keys of a step, possibly concurrently with other inserts; a {@link Launch}. */
  void launch(T used, DeviceLongs counters, Step step, int more) {
    keys.warm(used, step, false);
    launches.run(
        (options, polls) -> keys.insert(used, counters, step, options, polls),
        keys.flags | more,
        step,
        counters);
  }

  /** Inserts the keys of a step with exclusive access. */
  void launchAlone(T used, DeviceLongs counters, Step step, int more) {
    launch(used, counters, step, more);
  }

  /**
   * Makes capacity for the remaining keys, unless another thread has done so.
   *
   * @param count number of remaining keys
   * @param atOnce number of keys for which capacity is reserved at the same time
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

  /** Inserts the keys of all remaining steps. */
  void insertAll() {
    while (!left.isEmpty()) {
      T used = insertLeft();
      if (!left.isEmpty()) {
        makeRoom(used);
      }
    }
  }

  /**
   * Runs a round: inserts the remaining keys, concurrently with other updates; returns the table
   * that was used.
   */
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

  /** Inserts the keys of a step; puts it aside, without an effect, if capacity is lacking. */
  final void insertStep(T used, int worker, Step step, long room, Launch<T> launch) {
    boolean waits = refused && workers.count() == 1;
    if (waits || !used.take(room)) {
      putAside(step);
    } else {
      insertInto(used, room, stage.freshCounters(worker), step, 0, launch);
    }
  }

  /** Inserts the keys of a step with reservations; returns the unused ones. */
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
      // The launch did not begin, and earlier launches are counted. For a launch in a chain the
      // count is unknown. So it is if a user's strategy threw, which on the JVM runs in this
      // thread.
      known |= !chained && !workers.onJvm();
      throw e;
    } finally {
      sums.add(counters);
      used.inserted(counters.get(MapCodes.INSERTED), room, known);
    }
  }

  /** Notes that launches are about to be chained. */
  final void chain() {
    chained = true;
  }

  /** Leaves a step to the next round. */
  final void addLeft(Step step) {
    synchronized (left) {
      left.add(step);
    }
  }

  /** Leaves a step to the next round, which needs more capacity. */
  final void putAside(Step step) {
    synchronized (left) {
      refused = true;
      left.add(step);
    }
  }

  /** Returns the remaining steps, in order. */
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

  /**
   * Makes capacity for the remaining keys, or inserts them exclusively if the capacity is fixed.
   */
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

  /** Inserts the keys of a step, with exclusive access, if the capacity cannot grow. */
  void insertAlone(Step step) {
    DeviceLongs _ = insertIntoRest(step);
  }

  /** Inserts the keys of a step against the remaining capacity; returns the counts. */
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
   * Inserts all remaining keys if the table has capacity for the new ones among them. It does
   * nothing if another table is in place, or so much capacity is left that most keys are probably
   * new.
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
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
    AtomicLong free = new AtomicLong(full.rest());
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

  /** Inserts the keys of a step, of which a given number is new. */
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

  /** Marks keys as SKIPPED that were left for a following launch and not tried again. */
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
