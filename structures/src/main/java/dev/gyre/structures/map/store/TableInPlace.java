package dev.gyre.structures.map.store;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.SpentMemories;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TableSeed;
import dev.gyre.structures.map.work.Reservations;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The table of a store that is in place, and what replaces or empties it: growth, rehash and clear.
 *
 * @param <T> its tables
 */
abstract class TableInPlace<T extends FixedTable> {

  private static final long FILL_BYTES = 1 << 22;

  /** How much larger than before a table is at most that a launch found full. */
  static final long MOST_GROWTH = 8;

  /** Below so many keys, or words of text, a map is small: growing costs more than the room. */
  private static final long SMALL = 1 << 15;

  final String name;
  final MapSettings settings;
  final Workers workers;
  final OperationLock lock;
  final Reservations reservations;
  final SpentMemories spent = new SpentMemories();

  /** Written inside the lock, alone. */
  volatile T table;

  /** Odd while the map is cleared, and another one after that. */
  private final AtomicLong version = new AtomicLong();

  /**
   * An empty table, or one of what is in a file.
   *
   * @param fresh makes an empty table
   * @param adopt makes the table of a file
   */
  TableInPlace(
      String name,
      MapSettings settings,
      Function<MapSettings, T> fresh,
      Function<SavedMap, T> adopt) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.lock = new OperationLock(name);
    this.reservations = new Reservations(lock);
    SavedMap saved = settings.saved();
    if (saved == null) {
      this.table = fresh.apply(settings);
      makeReady(table.memories());
    } else {
      this.table = adopt.apply(saved);
    }
    table.openTo(reservations);
  }

  /** An empty table of another capacity, with what the present one has beside its slots. */
  abstract T resized(long capacity);

  /** A table in the memories of the present one, which is about to be empty, with another seed. */
  abstract T emptied(long seed);

  /** Moves all entries, with nobody else there; where that fails, the old table is as it was. */
  abstract void move(T old, T fresh);

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
        moveTo(Math.max(enlarged(full.capacity), needed + lock.waiting()));
      }
    }
  }

  /**
   * Grows a table that had no capacity for a key, unless it has some by now or the key is present.
   * The caller holds the lock exclusively.
   *
   * @param absent whether the key is absent: the thread that took the last capacity may have
   *     inserted this key
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  final void growForOne(T full, BooleanSupplier absent) {
    boolean stillFull = table == full && full.rest() == 0;
    if (stillFull && absent.getAsBoolean()) {
      if (settings.fixed()) {
        throw new MapFullException(name, full.capacity);
      }
      // Each thread that waits is about to insert a key, most likely.
      moveTo(Math.max(enlarged(full.capacity), full.capacity + 1 + lock.waiting()));
    }
  }

  /** Moves the entries to a table with another capacity. */
  public final void rehash(long capacity) {
    settle();
    lock.exclusively(() -> rehashAlone(capacity));
  }

  private void rehashAlone(long capacity) {
    if (capacity < table.size()) {
      throw new IllegalArgumentException(
          "a capacity of %d is too small for the %d keys of the map"
              .formatted(capacity, table.size()));
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
   * Shows the table as it is now to threads that read single keys, if they may read it without the
   * lock; a thread that began before reads again. Called before and after anything but an update
   * changes what such a thread may find.
   *
   * @param by whether there is a table to be found
   */
  void read(boolean by) {}

  /** Says which table is in place. */
  abstract void replaced(T next);

  /** Puts a table in place, by which single keys come from now on. */
  private void use(T next) {
    table.gatherAhead();
    next.openTo(reservations);
    table = next;
    replaced(next);
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
        lock.exclusively(this::recount);
      } catch (GyreException e) {
        // Who called has been told, or is about to be, that launches fail or the map is closed.
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private void recount() {
    workers.readBack(table.memories().toArray(Memory[]::new));
    table.setSize(table.count(MapCodes.FILLED));
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

  /** By which a reader without the lock sees that the map was cleared meanwhile. */
  public final long version() {
    return version.get();
  }

  /** Throws what a table threw, unless it was changed meanwhile, or has another in its place. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  public final void requireReplaced(T used, long versionBefore, RuntimeException thrown) {
    requireOpen();
    if (table == used && version.get() == versionBefore) {
      throw thrown;
    }
  }

  /** A number of the present table. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  final long number(ToLongFunction<T> of) {
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

  public final void requireOpen() {
    if (lock.isClosed()) {
      throw new ClosedException(name);
    }
  }
}
