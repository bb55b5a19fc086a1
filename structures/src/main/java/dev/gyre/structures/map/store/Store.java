package dev.gyre.structures.map.store;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Tracked;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
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
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.Reservations;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Scratches;
import dev.gyre.structures.map.work.ShortUpdates;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The implementation of a map, for all types of keys: its table, the operation lock that guards it,
 * and the workers that run its operations, which stay the same for life. Subclasses make tables and
 * move entries between them.
 *
 * @param <T> its tables
 * @param <S> its scratch memory
 */
public abstract class Store<T extends FixedTable, S extends Scratch> extends TableInPlace<T>
    implements AutoCloseable {

  private final SavedMap.Kind kind;
  private final ShortUpdates shortUpdates;
  private final Scratches<S> stages;
  private final Scratches<PartitionScratch> partitions =
      new Scratches<>((length, workers, _) -> new PartitionScratch(length, workers));

  /**
   * What is under way. A bulk operation leaves the other lock between its rounds, and is a reader
   * here until it ends; a launcher that the map owns is closed alone.
   */
  private final OperationLock underWay;

  private final StageSequence begun = new StageSequence();

  private final boolean defers;

  private final StoreParts parts;
  private final Tracked tracked;

  private final long order = Held.nextOrder();

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
    super(name, required(name, kind, settings), fresh, adopt);
    this.kind = kind;
    this.stages = new Scratches<>(stage);
    this.defers =
        (waitsForSlots() || settings.fixed())
            && settings.waiting().defers(name, settings.launcher());
    this.shortUpdates = new ShortUpdates(lock);
    this.underWay = new OperationLock(name);
    this.parts = new StoreParts(this);
    this.tracked = track(parts);
  }

  /** Has the parts closed if this is dropped; closes them at once if that fails. */
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
   * Refuses a group of launchers, naming the type that is made for one, and a file of other keys.
   */
  private static MapSettings required(String name, SavedMap.Kind kind, MapSettings settings) {
    if (settings.launcher().parts().size() > 1) {
      throw new StructureException(
          "%s is for one device: for a group of launchers, make a Sharded%s"
              .formatted(name, name.replaceFirst("(Long|Int|Text)(Long|Int)", "$1")));
    }
    SavedMap saved = settings.saved();
    if (saved != null) {
      saved.requireKind(kind, settings.schema());
    }
    return settings;
  }

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

  /** What is under way; see the field. */
  final OperationLock underWay() {
    return underWay;
  }

  /** Scratch memory for bulk operations. */
  final Scratches<S> stages() {
    return stages;
  }

  /** Scratch memory for partitioned inserts. */
  final Scratches<PartitionScratch> partitions() {
    return partitions;
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
  public final InsertCounts inserts(long keys, Consumer<Sums> insert) {
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
        used.size(),
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
