package dev.gyre.structures.map.store;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Tracked;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.SpentMemories;
import dev.gyre.structures.StageSequence;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.launch.Held;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.file.HashName;
import dev.gyre.structures.map.file.MapFile;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.partition.PartitionScratch;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TableSeed;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Reservations;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Scratches;
import dev.gyre.structures.map.work.ShortUpdates;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a map, whatever its keys: its present table, who may use it now, and what runs its
 * operations. Growth, taking all keys out and the end stand here; how a table is made, and how its
 * entries move, its kind of keys says. All that runs its operations stays the same for life.
 *
 * @param <T> its tables
 * @param <S> its scratch memory
 */
public abstract class Store<T extends FixedTable, S extends Scratch> implements AutoCloseable {

  private static final long FILL_BYTES = 1 << 22;

  /** How much larger than before a table is at most that a launch found full. */
  static final long MOST_GROWTH = 8;

  /** Below so many keys, or words of text, a map is small: growing costs more than the room. */
  private static final long SMALL = 1 << 15;

  private final String name;
  private final SavedMap.Kind kind;
  private final MapSettings settings;
  private final OperationLock lock;
  private final Reservations reservations;
  private final ShortUpdates shortUpdates;
  private final Scratches<S> stages;
  private final Scratches<PartitionScratch> partitions =
      new Scratches<>((length, workers, _) -> new PartitionScratch(length, workers));

  /**
   * What is under way. A bulk operation leaves the other lock between its rounds, and is a reader
   * here until it ends; a launcher that the map owns is closed alone.
   */
  private final OperationLock underWay;

  private final SpentMemories spent = new SpentMemories();

  private final StageSequence begun = new StageSequence();

  private final Workers workers;
  private final boolean defers;

  /** Written inside the lock, alone. */
  volatile T table;

  private final Parts parts;
  private final Tracked tracked;

  private final long order = Held.nextOrder();

  /** Odd while the map is cleared, and another one after that. */
  private final AtomicLong version = new AtomicLong();

  /**
   * A store of an empty table, or of what is in a file.
   *
   * @param kind what a file of this is
   * @param fresh makes an empty table
   * @param adopt makes the table of a file
   * @throws StructureException if the launcher is a group
   */
  Store(
      String name,
      SavedMap.Kind kind,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt,
      Scratches.Maker<S> stage) {
    requireOneDevice(name, settings.launcher());
    this.name = name;
    this.kind = kind;
    this.settings = settings;
    this.stages = new Scratches<>(stage);
    this.workers = new Workers(settings.launcher());
    this.defers =
        (waitsForSlots() || settings.fixed())
            && settings.waiting().defers(name, settings.launcher());
    this.lock = new OperationLock(name);
    this.reservations = new Reservations(lock);
    this.shortUpdates = new ShortUpdates(lock);
    this.underWay = new OperationLock(name);
    SavedMap saved = settings.saved();
    if (saved != null) {
      saved.requireKind(kind, settings.schema());
    }
    if (saved == null) {
      this.table = fresh.apply(settings);
      makeReady(table.memories());
    } else {
      this.table = adopt.apply(saved);
    }
    table.openTo(reservations);
    this.parts = new Parts(this);
    this.tracked = track(parts);
  }

  /** Has the parts closed if this is dropped; closes them at once if that fails. */
  private Tracked track(Parts all) {
    try {
      return Tracked.of(this, name, all::close);
    } catch (RuntimeException | Error e) {
      try (all) {
        throw e;
      }
    }
  }

  /** Refuses a group of launchers, and names the type that is made for one. */
  private static void requireOneDevice(String name, Launcher launcher) {
    if (launcher.parts().size() > 1) {
      throw new StructureException(
          "%s is for one device: for a group of launchers, make a Sharded%s"
              .formatted(name, name.replaceFirst("(Long|Int|Text)(Long|Int)", "$1")));
    }
  }

  /** A number of the present table. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private long number(ToLongFunction<T> of) {
    requireOpen();
    while (true) {
      T used = table;
      try {
        long number = of.applyAsLong(used);
        if (table == used) {
          return number;
        }
      } catch (ClosedException e) {
        // If this is open, the table was replaced.
        requireOpen();
      }
    }
  }

  /** An empty table of another capacity, with what the present one has beside its slots. */
  abstract T resized(long capacity);

  /** A table in the memories of the present one, which is about to be empty, with another seed. */
  abstract T emptied(long seed);

  /** Moves all entries, with nobody else there; where that fails, the old table is as it was. */
  abstract void move(T old, T fresh);

  /**
   * Makes room in a table after a launch of a user's kernel, unless another thread has done so.
   *
   * @param keys how many found no room
   * @param texts how many found none for their text
   * @param news whether there is less room than when some was made the last time
   * @throws MapFullException if the capacity is fixed
   */
  void growFor(T full, long keys, long texts, boolean news) {
    if (isFixed()) {
      throw new MapFullException(name, full.capacity);
    }
    // Of the keys that found no room many may be equal.
    long expected = Math.min(keys, MOST_GROWTH * full.capacity);
    grow(full, expected, expected);
  }

  /** Number of entries; the caller has seen to it that nobody updates. */
  abstract long count();

  /** How the slots of its tables lie in memory. */
  Layout layout() {
    return settings.layout();
  }

  /** How kernels that may meet a reserved slot are launched. */
  final Launches launches() {
    return new Launches(workers, launchesOwn(), defers, waitsForSlots(), pollLimit());
  }

  /** Whether those run in code of their own. */
  boolean launchesOwn() {
    return false;
  }

  /** Whether there are slots to wait for; elsewhere only the last room of a table is. */
  final boolean waitsForSlots() {
    return layout() != Layout.PACKED;
  }

  /** Makes memories of a new table ready where the kernels run; if that fails, they are freed. */
  private void makeReady(List<Memory> memories) {
    orFree(memories, () -> workers.makeReady(memories));
  }

  /** Does something with memories that nobody else would free if it fails. */
  private static void orFree(List<Memory> memories, Runnable work) {
    boolean _ =
        Memories.orFree(
            memories,
            () -> {
              work.run();
              return true;
            });
  }

  public final String name() {
    return name;
  }

  public final Device device() {
    return workers.device();
  }

  /** Decides which operations run at the same time. */
  public final OperationLock lock() {
    return lock;
  }

  /** What is reserved for single keys. */
  public final Reservations reservations() {
    return reservations;
  }

  /** How updates of few keys enter the lock. */
  final ShortUpdates shortUpdates() {
    return shortUpdates;
  }

  public final Workers workers() {
    return workers;
  }

  final SavedMap.Kind kind() {
    return kind;
  }

  /** The present table; a caller that updates it by itself is inside the lock. */
  public final T table() {
    return table;
  }

  final MapSettings settings() {
    return settings;
  }

  /** Scratch memory for bulk operations. */
  final Scratches<S> stages() {
    return stages;
  }

  /** Scratch memory for partitioned inserts. */
  final Scratches<PartitionScratch> partitions() {
    return partitions;
  }

  /** By which a reader without the lock sees that the map was cleared meanwhile. */
  public final long version() {
    return version.get();
  }

  public final boolean isFixed() {
    return settings.fixed();
  }

  /** Polls of a wait, or following launches where nobody waits, after which keys are STUCK. */
  public final long pollLimit() {
    return settings.pollLimit();
  }

  /** Whether keys that would have to wait are left to following launches. */
  final boolean defers() {
    return defers;
  }

  /** Whether the JVM's threads do all work, so that single keys are best done by the caller. */
  public final boolean onJvm() {
    return workers.onJvm();
  }

  /** Refuses what is done in the JVM's memory only. */
  public final void requireOnJvm() {
    requireOpen();
    if (!onJvm()) {
      throw new UnsupportedOperationException(
          "%s: its table is on a device; use bulk operations, or copyTo a JVM launcher"
              .formatted(name));
    }
  }

  public final void requireOpen() {
    if (lock.isClosed()) {
      throw new ClosedException(name);
    }
  }

  /** Throws what a table threw, unless it was changed meanwhile, or has another in its place. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  public final void requireReplaced(T used, long versionBefore, RuntimeException thrown) {
    requireOpen();
    if (table == used && version.get() == versionBefore) {
      throw thrown;
    }
  }

  /** Begins an operation, after those that were begun so before. */
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
   * Does a bulk insert.
   *
   * @param keys how many there are: what it throws says of how many it is known what became of them
   */
  final InsertCounts inserts(long keys, Consumer<Sums> insert) {
    Sums sums = new Sums();
    Entry running = begin();
    try {
      settle();
      insert.accept(sums);
      return sums.inserts(name, device());
    } catch (GyreException e) {
      throw sums.told(e, keys);
    } finally {
      running.holder = OperationLock.LEFT;
      running.left();
    }
  }

  /** Does a bulk find. */
  final FindCounts finds(Consumer<Sums> find) {
    Sums sums = new Sums();
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

  /** What one launch of a kernel holds of this; nothing is held yet. */
  public final <R> Held<R> hold(Function<TableRef, R> refs) {
    return new HeldMap<>(this, refs);
  }

  /** The place of this among all structures; see {@link Held}. */
  final long order() {
    return order;
  }

  /** Polls of a wait in a kernel; where none may wait, it looks once more and gives up. */
  final long pollsOfLaunch() {
    return defers ? 1 : pollLimit();
  }

  /** After how many launches a key that is STUCK is given up. */
  final long mostLaunches() {
    return defers ? pollLimit() : 1;
  }

  /** What a table of other room has, at least, so that it need not grow again soon. */
  public static long enlarged(long size) {
    return (size < SMALL ? 4 : 2) * size;
  }

  /**
   * Replaces a table for which keys were too many by a larger one, unless another thread has done
   * so, or there is room by now.
   *
   * @param expected new keys that are to come
   * @param atOnce keys for which room is taken at the same time
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  final void grow(T full, long expected, long atOnce) {
    lock.exclusivelyIf(() -> table == full, () -> growAlone(full, expected, atOnce));
  }

  /** {@link #grow}, where the caller is alone. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  final void growAlone(T full, long expected, long atOnce) {
    if (table == full) {
      long needed = full.capacity - full.rest() + Math.max(expected, atOnce);
      if (needed > full.capacity) {
        moveTo(Math.max(enlarged(full.capacity), needed));
      }
    }
  }

  /**
   * Makes room for a key that found none in a table, unless there is some by now, or the key. The
   * caller is alone.
   *
   * @param absent whether the key is not there: who took the last room may have taken it for that
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  final void growForOne(T full, BooleanSupplier absent) {
    boolean stillFull = table == full && full.rest() == 0;
    if (stillFull && absent.getAsBoolean()) {
      if (settings.fixed()) {
        throw new MapFullException(name, full.capacity);
      }
      moveTo(enlarged(full.capacity));
    }
  }

  /** Moves the entries to a table with another capacity. */
  public final void rehash(long capacity) {
    settle();
    lock.exclusively(() -> rehashAlone(capacity));
  }

  private void rehashAlone(long capacity) {
    if (capacity < table.taken()) {
      throw new IllegalArgumentException(
          "a capacity of %d is too small for the %d keys of the map"
              .formatted(capacity, table.taken()));
    }
    moveTo(capacity);
  }

  /** Replaces the table by one with another capacity; the caller is alone. */
  private void moveTo(long capacity) {
    Span span = Span.growth();
    T old = table;
    T fresh = resized(capacity);
    List<Memory> made = made(fresh, old);
    makeReady(made);
    orFree(made, () -> move(old, fresh));
    replaceBy(fresh);
    span.moved(name, fresh.byteSize());
  }

  /** Memories of a table that another one does not have. */
  private static List<Memory> made(FixedTable table, FixedTable other) {
    List<Memory> kept = other.memories();
    return table.memories().stream().filter(m -> !kept.contains(m)).toList();
  }

  /**
   * Has those who read single keys find the table as it is now, if they may find anything there
   * without the lock; who has begun before looks again. Called before something else than an update
   * changes what they may find, and after it.
   *
   * @param by whether there is a table to be found
   */
  void read(boolean by) {}

  /** Puts a table in place, by which single keys come from now on. */
  private void use(T next) {
    table.gatherAhead();
    next.openTo(reservations);
    table = next;
    parts.table = next;
  }

  /** {@link #read} as it is now. */
  final void readers() {
    read(workers.onJvm());
  }

  /** Puts another table in place of the present one, whose memories are freed; alone. */
  final void replaceBy(T fresh) {
    T old = table;
    use(fresh);
    try {
      readers();
    } finally {
      spent.freeLater(made(old, fresh));
    }
  }

  /**
   * Counts the keys if a launch has failed of which nobody knows how many it inserted. Where that
   * cannot be done either, as on a device that does not answer, room for them stays taken.
   */
  public final void settle() {
    if (table.isUncounted()) {
      boolean interrupted = Thread.interrupted();
      try {
        lock.exclusively(() -> table.setTaken(count()));
      } catch (GyreException e) {
        // Who called has been told, or is about to be, that launches fail or the map is closed.
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** Writes the table to a file, where nobody updates. */
  public final void save(Path file) {
    whenQuiescent(used -> MapFile.save(saved(used), used.sections(), file));
  }

  /** Writes the table to a stream, where nobody updates. */
  public final void save(OutputStream out) {
    whenQuiescent(used -> MapFile.save(saved(used), used.sections(), out));
  }

  private SavedMap saved(T used) {
    return new SavedMap(
        name,
        kind,
        layout(),
        used.taken(),
        used.capacity,
        used.slots,
        // That of records is in their schema.
        kind.isOfRecords() ? HashName.OURS : HashName.of(settings.hash()),
        settings.schema(),
        used.memories().subList(0, used.sections().size()));
  }

  /** Reads the table where nobody updates, with the host's copy up to date. */
  public final void whenQuiescent(Consumer<T> read) {
    boolean _ =
        quiescent(
            used -> {
              read.accept(used);
              return true;
            });
  }

  /** What is read of the table where nobody updates, with the host's copy up to date. */
  public final <R> R quiescent(Function<T, R> read) {
    settle();
    try (Entry _ = lock.enterQuiescentRead()) {
      T used = table;
      workers.readBack(used.memories().toArray(Memory[]::new));
      return read.apply(used);
    }
  }

  /**
   * What is made of settings for a copy of all entries, in a table of another seed, on a launcher.
   */
  public final <R> R copyTo(Launcher launcher, Function<MapSettings, R> made) {
    Objects.requireNonNull(launcher, "launcher").requireOpen();
    return quiescent(used -> made.apply(settings.copied(launcher, saved(used))));
  }

  /** Takes all keys out, where the table is: what a device holds is set to 0 there. */
  public final void clear() {
    lock.exclusively(this::clearAlone);
  }

  private void clearAlone() {
    read(false);
    version.incrementAndGet();
    try {
      // Another seed, since keys that were here may come again in the order of the old one.
      T empty = emptied(TableSeed.next(table.seed));
      List<Memory> memories = table.memoriesOfKeys();
      workers.clearOnDevice(memories);
      (workers.onJvm() ? memories : List.<Memory>of()).forEach(this::fillWithZeros);
      use(empty);
    } finally {
      version.incrementAndGet();
      readers();
    }
  }

  private void fillWithZeros(Memory memory) {
    try {
      workers.run(
          "clear",
          Step.cut(0, memory.byteSize(), FILL_BYTES),
          (_, step) -> memory.segment().asSlice(step.from(), step.size()).fill((byte) 0));
    } catch (GyreException e) {
      // Interrupted, or without threads: half of the keys must not stay.
      memory.segment().fill((byte) 0);
    }
  }

  public final long size() {
    return number(FixedTable::taken);
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
  public void close() {
    parts.close(() -> read(false));
    tracked.closed();
  }

  /**
   * What a store consists of: it is closed with the store, or after the store has become
   * unreachable, so it does not refer to the store.
   */
  private static final class Parts implements AutoCloseable {
    private final OperationLock lock;
    private final OperationLock underWay;
    private final MapSettings settings;
    private final SpentMemories spent;
    private final Scratches<?> stages;
    private final Scratches<?> partitions;

    volatile @Nullable FixedTable table;

    Parts(Store<?, ?> of) {
      lock = of.lock;
      underWay = of.underWay;
      settings = of.settings;
      spent = of.spent;
      stages = of.stages;
      partitions = of.partitions;
      table = of.table;
    }

    /** Closes what no reader can look at any more. */
    @Override
    public void close() {
      close(() -> {});
    }

    /**
     * Closes all, having waited for the operations that are inside.
     *
     * @param first takes the table from readers that do not enter the lock
     */
    void close(Runnable first) {
      Entry alone;
      try {
        alone = lock.enterExclusive();
      } catch (ClosedException e) {
        // What was in use the first time may not be any more.
        free(first);
        return;
      }
      try {
        lock.close();
        free(first);
      } finally {
        alone.close();
        if (settings.ownsLauncher()) {
          underWay.exclusively(settings.launcher()::close);
        }
      }
    }

    private void free(Runnable first) {
      first.run();
      try (spent;
          stages;
          partitions;
          var _ = table) {
        // In any case all of them.
      }
    }
  }
}
