package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Tracked;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RemoveIf;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.kernels.map.Visit;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StageSequence;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.StructureStats;
import dev.gyre.structures.launch.StructurePin;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.file.HashName;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.partition.PartitionScratch;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.Reservations;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.ScratchPool;
import dev.gyre.structures.map.work.ShortUpdates;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Implementation of a map, for all types of keys: its table, its operation lock, and its workers,
 * which never change.
 *
 * <p>Subclasses allocate tables and move entries between them.
 *
 * @param <T> its tables
 * @param <S> its scratch memory
 */
public abstract class Store<T extends FixedTable, S extends ScratchBuffer> extends TableInPlace<T>
    implements AutoCloseable {

  /** Number of places that a worker of the JVM visits at a time. */
  private static final int VISITED = 1 << 14;

  final SavedMap.Kind kind;

  /** Decides how updates of few keys enter the lock. */
  final ShortUpdates shortUpdates;

  /** Scratch memory for bulk operations. */
  final ScratchPool<S> scratchPool;

  /** Scratch memory for partitioned inserts. */
  final ScratchPool<PartitionScratch> partitions =
      new ScratchPool<>((length, workers, _) -> new PartitionScratch(length, workers));

  /**
   * Lock of running operations. A bulk operation leaves the other lock between its rounds, and is a
   * reader here until it ends. A launcher that the map owns is closed exclusively.
   */
  final OperationLock underWay;

  private final StageSequence begun = new StageSequence();

  /** Whether keys that would have to wait are deferred to following launches. */
  final boolean defers;

  private final StoreParts parts;
  private final Tracked tracked;

  /** Number of this structure; see {@link StructurePin}. */
  final long order = StructurePin.nextOrder();

  /**
   * Creates a store with an empty table, or with the content of a file.
   *
   * @param kind kind of its files
   * @param fresh allocates an empty table
   * @param adopt returns the table of a file
   * @throws StructureException if the launcher is a group
   */
  Store(
      String name,
      SavedMap.Kind kind,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt,
      ScratchPool.Maker<S> scratch) {
    super(name, settings.requireFor(name, kind), fresh, adopt);
    this.kind = kind;
    this.scratchPool = new ScratchPool<>(scratch);
    this.defers =
        (waitsForSlots() || settings.options().fixed())
            && settings.options().waiting().defers(name, settings.launcher());
    this.shortUpdates = new ShortUpdates(lock);
    this.underWay = new OperationLock(name);
    this.parts = new StoreParts(this);
    this.tracked = track(parts);
  }

  /**
   * Lets the garbage collector close the parts of an unreachable store; closes them at once if that
   * fails.
   */
  private Tracked track(StoreParts all) {
    try {
      return Tracked.of(this, name, all::close);
    } catch (RuntimeException | Error e) {
      try (all) {
        throw e;
      }
    }
  }

  /**
   * Makes capacity after a launch of a user's kernel, unless another thread has done so.
   *
   * @param keys number of keys that did not fit
   * @param texts number of keys whose text did not fit
   * @param news whether there is less capacity than after the last growth
   * @throws MapFullException if the capacity is fixed
   */
  void growFor(T full, long keys, long texts, boolean news) {
    if (isFixed()) {
      if (full.removed() == 0) {
        throw new MapFullException(name, full.capacity);
      }
      lock.exclusively(this::dropRemoved);
      return;
    }
    // Many of the keys that did not fit may be equal.
    long expected = Math.min(keys, MOST_GROWTH * full.capacity);
    grow(full, expected, 0);
  }

  /** Returns the layout of its tables. */
  Layout layout() {
    return settings.options().layout();
  }

  /** Returns how kernels that may meet a RESERVED slot are launched. */
  final Launches launches() {
    return new Launches(workers, launchesOwn(), defers, waitsForSlots(), pollLimit());
  }

  /** Returns whether these kernels run in specialised code. */
  boolean launchesOwn() {
    return false;
  }

  /** Returns whether threads may wait for slots; otherwise only for the last reservations. */
  final boolean waitsForSlots() {
    return layout() != Layout.PACKED;
  }

  public final String name() {
    return name;
  }

  public final Device device() {
    return workers.device();
  }

  /** Returns the operation lock. */
  public final OperationLock lock() {
    return lock;
  }

  /** Returns the reservations of single keys. */
  public final Reservations reservations() {
    return reservations;
  }

  public final Workers workers() {
    return workers;
  }

  /** Returns the present table; a caller that updates it must be inside the lock. */
  public final T table() {
    return table;
  }

  public final boolean isFixed() {
    return settings.options().fixed();
  }

  /** Returns whether keys can be removed. */
  public final boolean isRemovable() {
    return settings.options().removable();
  }

  /** Throws if keys cannot be removed. */
  public final void requireRemovable() {
    requireOpen();
    if (!isRemovable()) {
      throw new UnsupportedOperationException(name + ": " + Slots.NOT_REMOVABLE);
    }
  }

  /**
   * Returns the limit of polls, or of following launches if threads do not wait, after which keys
   * are STUCK.
   */
  public final long pollLimit() {
    return settings.pollLimit();
  }

  /** Returns whether the JVM does all work, so that the calling thread handles single keys best. */
  public final boolean onJvm() {
    return workers.onJvm();
  }

  /** Throws for operations that work on memory of the JVM only. */
  public final void requireOnJvm() {
    requireOpen();
    if (!onJvm()) {
      throw new UnsupportedOperationException(
          "%s: its table is on a device; use bulk operations, or copyTo a JVM launcher"
              .formatted(name));
    }
  }

  /** Begins an asynchronous operation, after earlier ones. */
  public final <M, R> dev.gyre.kernels.Stage<R> async(
      M map, Function<? super M, ? extends R> operation) {
    return begun.begin(workers.launcher(), map, operation);
  }

  /** Begins a bulk operation, which leaves by a store. */
  final Entry begin() {
    requireOpen();
    return underWay.enterConcurrentRead();
  }

  /**
   * Runs a bulk insert.
   *
   * @param keys number of its keys; its exception says how many are known to be done
   */
  public final InsertCounts inserts(long keys, Consumer<OutcomeCounts> insert) {
    OutcomeCounts sums = new OutcomeCounts();
    Entry running = begin();
    try {
      recount();
      insert.accept(sums);
      sums.requireNoneStuck(name, "insert", device());
      return sums.inserts();
    } catch (GyreException e) {
      throw sums.withCounts(e, keys);
    } finally {
      running.holder = OperationLock.LEFT;
      running.left();
    }
  }

  /** Runs a bulk lookup. */
  final FindCounts finds(Consumer<OutcomeCounts> find) {
    OutcomeCounts sums = new OutcomeCounts();
    Entry running = begin();
    try {
      find.accept(sums);
      sums.requireNoneStuck(name, "find", device());
      return sums.finds();
    } finally {
      running.holder = OperationLock.LEFT;
      running.left();
    }
  }

  /** Runs a bulk removal. */
  final FindCounts removes(Consumer<OutcomeCounts> remove) {
    requireRemovable();
    return finds(remove);
  }

  /**
   * Removes the entries for which a user's predicate returns true, while no other update runs;
   * returns their number.
   *
   * @param inKernels returns the predicate as the kernels of a table call it
   */
  final long removeIf(Function<T, EntryPredicate> inKernels) {
    requireRemovable();
    recount();
    OutcomeCounts sums = new OutcomeCounts();
    try (Entry _ = begin()) {
      S scratch = scratchPool.borrow(1, workers.count());
      try (Entry _ = lock.enterExclusiveUpdate()) {
        T used = table;
        EntryPredicate predicate = inKernels.apply(used);
        boolean known = false;
        try {
          workers.run(
              "remove",
              TaskRange.cut(0, used.places(), onJvm() ? VISITED : used.places()),
              (worker, task) -> {
                DeviceLongs counters = scratch.freshCounters(worker);
                workers.launchOwn(
                    new RemoveIf(used.inKernels(), predicate, counters, task.from(), task.to()),
                    task.size(),
                    counters);
                sums.add(counters);
              });
          known = true;
        } finally {
          countRemoved(used, sums, known);
        }
      } finally {
        scratchPool.giveBack(scratch);
        recount();
      }
    }
    return sums.of(MapCodes.FOUND);
  }

  /**
   * Moves all entries to an empty table by kernels over places, each by one of some workers.
   *
   * @param task number of places of a task of a JVM worker
   * @throws dev.gyre.structures.map.StuckException if there is no slot for an entry
   */
  final void rehash(
      T old, T fresh, Workers used, long task, BiFunction<DeviceLongs, TaskRange, Kernel> move) {
    OutcomeCounts sums = new OutcomeCounts();
    S scratch = scratchPool.borrow(1, used.count());
    try {
      used.run(
          "rehash",
          TaskRange.cut(0, old.places(), onJvm() ? task : old.places()),
          (worker, places) -> {
            DeviceLongs counters = scratch.freshCounters(worker);
            workers.launch(move.apply(counters, places), places.size(), counters);
            sums.add(counters);
          });
    } finally {
      scratchPool.giveBack(scratch);
    }
    sums.requireNoneStuck(name, "rehash", device());
    fresh.countAs(old);
  }

  /** Counts the FOUND keys of a removal; if a launch failed, their number is unknown. */
  final void countRemoved(T used, OutcomeCounts sums, boolean known) {
    used.removed(sums.of(MapCodes.FOUND));
    if (!known) {
      used.lostCount();
    }
  }

  /**
   * Calls a user's visitor for all entries.
   *
   * @param inKernels returns the visitor as the kernels of a table call it
   */
  final void visit(Function<T, EntryVisitor> inKernels) {
    try (Entry _ = begin();
        Entry _ = lock.enterQuiescentRead()) {
      T used = table;
      EntryVisitor visitor = inKernels.apply(used);
      workers.run(
          "visit",
          TaskRange.cut(0, used.places(), onJvm() ? VISITED : used.places()),
          (_, task) ->
              workers.launchOwn(
                  new Visit(used.inKernels(), visitor, task.from(), task.to()), task.size()));
    }
  }

  /** Measures the table while no thread updates; its probes, on a sample if it is large. */
  public final StructureStats stats() {
    recount();
    try (Entry _ = begin();
        Entry _ = lock.enterQuiescentRead()) {
      return TableStats.of(table, workers);
    }
  }

  /** Returns the pin of a launch, which has not entered yet. */
  public final <R> StructurePin<R> pin(Function<TableRef, R> refs) {
    return new MapPin<>(this, refs);
  }

  /** Returns the poll limit of a kernel; a kernel that must not wait polls once more. */
  final long pollsOfLaunch() {
    return defers ? 1 : pollLimit();
  }

  /** Returns the number of launches after which a key that is STUCK is given up. */
  final long mostLaunches() {
    return defers ? pollLimit() : 1;
  }

  /** Writes the table to a file or a stream, while no thread updates. */
  public final void save(BiConsumer<SavedMap, List<MemorySegment>> writer) {
    boolean _ =
        withoutRemoved(
            used -> {
              writer.accept(saved(used), used.sections());
              return true;
            });
  }

  /**
   * Reads the table as {@link #quiescent} does, without removed keys. If keys can be removed, no
   * other operation runs meanwhile: they could be removed between the rebuild and the read.
   */
  private <R> R withoutRemoved(Function<T, R> read) {
    recount();
    try (Entry _ = isRemovable() ? lock.enterExclusive() : lock.enterQuiescentRead()) {
      dropRemoved();
      return resultOf(read);
    }
  }

  private SavedMap saved(T used) {
    return new SavedMap(
        name,
        kind,
        layout(),
        used.size(),
        used.capacity,
        used.slots,
        // The hash of records is in their schema.
        kind.isOfRecords() ? HashName.OURS : HashName.of(settings.hash()),
        settings.schema(),
        used.memories().subList(0, used.sections().size()),
        isRemovable());
  }

  /**
   * Returns a result from the table while no thread updates, with an up-to-date copy on the host.
   */
  public final <R> R quiescent(Function<T, R> read) {
    recount();
    try (Entry _ = lock.enterQuiescentRead()) {
      return resultOf(read);
    }
  }

  private <R> R resultOf(Function<T, R> read) {
    T used = table;
    workers.readBack(used.memories().toArray(Memory[]::new));
    return read.apply(used);
  }

  /** Returns a copy with all entries, in a table with another seed, on a launcher. */
  public final <R> R copyTo(Launcher launcher, Function<MapSettings, R> made) {
    Objects.requireNonNull(launcher, "launcher").requireOpen();
    return withoutRemoved(used -> made.apply(settings.copied(launcher, saved(used))));
  }

  public final long size() {
    return number(FixedTable::size);
  }

  public final long capacity() {
    return number(used -> used.capacity);
  }

  public final long byteSize() {
    return number(FixedTable::byteSize);
  }

  public final long slots() {
    return number(used -> used.slots);
  }

  @Override
  final void replaced(T next) {
    parts.table = next;
  }

  @Override
  public void close() {
    parts.close(() -> read(false));
    tracked.closed();
  }
}
