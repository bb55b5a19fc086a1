package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bulk insert, in rounds of launches over the tasks of its {@link BulkKeys keys}.
 *
 * <h2>Reservations</h2>
 *
 * A task first reserves capacity for all its keys, then runs, then returns the unused reservations.
 * So the device function need not count. A task without enough capacity is put aside. Tasks that
 * were put aside run again after growth. If the capacity is fixed, they run one after another,
 * exclusively and against the remaining capacity, so that the counts and FULL outcomes are exact. A
 * single worker also puts aside all later tasks, because it takes equal keys in order.
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

  /** Inserts the keys of a task, and counts their outcomes. */
  @FunctionalInterface
  interface Launch<T> {

    /**
     * Inserts the keys.
     *
     * @param more further options
     */
    void run(T used, DeviceLongs counters, TaskRange task, int more);
  }

  final Workers workers;
  final Launches launches;
  final OutcomeCounts sums;
  private final Store<T, ?> store;
  private final BulkKeys<T> keys;
  private final ScratchBuffer scratch;
  private final List<TaskRange> left = new ArrayList<>();

  /** Whether a task of this round was put aside. */
  private boolean refused;

  /** Whether a task may consist of several launches that count only at their end. */
  private boolean chained;

  Insertion(Store<T, ?> store, BulkKeys<T> keys, OutcomeCounts sums) {
    this.store = store;
    this.keys = keys;
    this.workers = keys.workers;
    this.launches = store.launches();
    this.scratch = keys.buffer;
    this.sums = sums;
  }

  /** Inserts the keys of a task, possibly concurrently with other inserts; a {@link Launch}. */
  void launch(T used, DeviceLongs counters, TaskRange task, int more) {
    keys.warm(used, task, false);
    launches.run(
        (options, polls) -> keys.insert(used, counters, task, options, polls),
        keys.flags | more,
        task,
        counters);
  }

  /** Inserts the keys of a task with exclusive access. */
  void launchAlone(T used, DeviceLongs counters, TaskRange task, int more) {
    launch(used, counters, task, more);
  }

  /**
   * Makes capacity for the remaining keys, unless another thread has done so.
   *
   * @param count number of remaining keys
   * @param atOnce number of keys for which capacity is reserved at the same time
   */
  void growFor(T full, long count, long atOnce) {
    double news = Math.min(1, sums.shareInserted(1) * GROWTH_MARGIN);
    store.grow(full, Math.max((long) Math.ceil(count * news), atOnce), 0);
  }

  /** Inserts all keys. */
  final void run() {
    keys.begin(store.table()).forEach(this::addLeft);
    try {
      insertAll();
    } finally {
      left.forEach(this::skip);
      store.recount();
      keys.end();
    }
  }

  /** Inserts the keys of all remaining tasks. */
  void insertAll() {
    while (!left.isEmpty()) {
      T used = insertLeft();
      if (!left.isEmpty()) {
        growTable(used);
      }
    }
  }

  /**
   * Runs a round: inserts the remaining keys, concurrently with other updates; returns the table
   * that was used.
   */
  T insertLeft() {
    List<TaskRange> tasks = takeLeft();
    Entry entry = store.lock().enterUpdate();
    try {
      T used = store.table();
      workers.run(
          "insert",
          tasks,
          (worker, task) -> insertTask(used, worker, task, task.size(), this::launch));
      return used;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /** Inserts the keys of a task; puts it aside, without an effect, if capacity is lacking. */
  final void insertTask(T used, int worker, TaskRange task, long capacity, Launch<T> launch) {
    boolean waits = refused && workers.count() == 1;
    if (waits || !used.take(capacity)) {
      putAside(task);
    } else {
      insertInto(used, capacity, scratch.freshCounters(worker), task, 0, launch);
    }
  }

  /** Inserts the keys of a task with reservations; returns the unused ones. */
  private void insertInto(
      T used, long capacity, DeviceLongs counters, TaskRange task, int more, Launch<T> launch) {
    boolean known = true;
    try {
      keys.enter(task);
      known = false;
      launch.run(used, counters, task, more);
      known = true;
      keys.leave(task);
    } catch (LaunchCancelledException e) {
      // The launch did not begin, and earlier launches are counted. For a launch in a chain the
      // count is unknown. So it is if a user's strategy threw, which on the JVM runs in this
      // thread.
      known |= !chained && !workers.onJvm();
      throw e;
    } finally {
      sums.add(counters);
      used.inserted(counters.get(MapCodes.INSERTED), capacity, known);
    }
  }

  /** Notes that launches are about to be chained. */
  final void chain() {
    chained = true;
  }

  /** Leaves a task to the next round. */
  final void addLeft(TaskRange task) {
    synchronized (left) {
      left.add(task);
    }
  }

  /** Leaves a task to the next round, which needs more capacity. */
  final void putAside(TaskRange task) {
    synchronized (left) {
      refused = true;
      left.add(task);
    }
  }

  /** Returns the remaining tasks, in order. */
  final List<TaskRange> left() {
    return left;
  }

  /** Begins a round. */
  final List<TaskRange> takeLeft() {
    List<TaskRange> taken = List.copyOf(left);
    left.clear();
    refused = false;
    return taken;
  }

  /**
   * Makes capacity for the remaining keys, or inserts them exclusively if the capacity is fixed.
   */
  private void growTable(T full) {
    if (store.isFixed()) {
      store
          .lock()
          .exclusively(
              () -> {
                store.dropRemoved();
                takeLeft().forEach(this::insertAlone);
              });
      return;
    }
    insertNew(full);
    if (!left.isEmpty()) {
      long count = left.stream().mapToLong(TaskRange::size).sum();
      long largest = left.stream().mapToLong(TaskRange::size).max().orElse(0);
      growFor(full, count, largest * Math.min(left.size(), workers.count()));
    }
  }

  /** Inserts the keys of a task, with exclusive access, if the capacity cannot grow. */
  void insertAlone(TaskRange task) {
    DeviceLongs _ = insertIntoRest(task);
  }

  /** Inserts the keys of a task against the remaining capacity; returns the counts. */
  final DeviceLongs insertIntoRest(TaskRange task) {
    T used = store.table();
    DeviceLongs counters = scratch.freshCounters(0);
    long capacity = used.rest();
    boolean _ = used.take(capacity);
    workers.setCapacity(counters, capacity);
    insertInto(used, capacity, counters, task, MapCodes.BOUNDED, this::launch);
    return counters;
  }

  /**
   * Inserts all remaining keys if the table has capacity for the new ones among them. It does
   * nothing if another table is in place, or so much capacity is left that most keys are probably
   * new.
   */
  void insertNew(T full) {
    if (sums.shareInserted(0) <= MOST_NEW && full.size() >= full.capacity / 2) {
      store.exclusivelyIf(full, () -> insertNewAlone(full));
    }
  }

  private void insertNewAlone(T full) {
    AtomicLong free = new AtomicLong(full.rest());
    Map<TaskRange, Long> news = new ConcurrentHashMap<>();
    workers.run(
        "find",
        left,
        (worker, task) -> {
          if (free.get() >= 0) {
            long absent = countAbsent(full, worker, task);
            news.put(task.entered(), absent);
            long _ = free.addAndGet(-absent);
          }
        });
    left.replaceAll(task -> news.containsKey(task.entered()) ? task.entered() : task);
    if (free.get() >= 0) {
      workers.run(
          "insert",
          takeLeft(),
          (worker, task) -> insertNews(full, worker, task, news.getOrDefault(task, 0L)));
    }
  }

  /** Inserts the keys of a task, of which a given number is new. */
  private void insertNews(T full, int worker, TaskRange task, long news) {
    if (!keys.usesInPlace()) {
      insertTask(full, worker, task, news, this::launchAlone);
      return;
    }
    insertTask(
        full,
        worker,
        task,
        news,
        (used, counters, some, _) -> {
          workers.setCapacity(counters, news);
          launch(used, counters, some, MapCodes.BOUNDED);
        });
  }

  private long countAbsent(T used, int worker, TaskRange task) {
    keys.enter(task);
    DeviceLongs counters = scratch.freshCounters(worker);
    int options = workers.options() | MapCodes.QUIESCENT;
    launches.launch(keys.count(used, counters, task, options), task.size(), counters);
    return counters.get(MapCodes.ABSENT);
  }

  /** Marks keys as SKIPPED that were left for a following launch and not tried again. */
  private void skip(TaskRange task) {
    for (long i = task.from(); task.again() && i < task.to(); i++) {
      if (scratch.outcomes.get(i) == MapCodes.STUCK) {
        scratch.outcomes.set(i, MapCodes.SKIPPED);
      }
    }
    if (task.again()) {
      keys.leave(task);
    }
  }
}
