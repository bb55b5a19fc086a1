package dev.gyre.structures.map.store;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.RetiredMemories;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TableSeed;
import dev.gyre.structures.map.work.Reservations;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The present table of a store, with the operations that replace or empty it: growth, rehash and
 * clear.
 *
 * @param <T> its tables
 */
abstract class TableInPlace<T extends FixedTable> {

  private static final long FILL_BYTES = 1 << 19;

  /** Largest factor by which a table grows after a launch found it full. */
  static final long MOST_GROWTH = 8;

  /**
   * Number of keys, or words of text, below which a map is small: growth costs more than the
   * memory.
   */
  static final long SMALL = 1 << 15;

  /**
   * Bytes per thread from which a table is rebuilt in the same size: a rebuild stops all threads,
   * and is rare compared with their operations. They stay in the cache of a core.
   */
  private static final long BYTES_PER_THREAD = 1 << 18;

  /** Largest table that takes turns with another one when it is rebuilt, in bytes. */
  private static final long MAX_REUSED_BYTES = 1 << 25;

  /** The memories of the earlier table are to be set to 0. */
  private static final int USED = 0;

  /** A thread sets them to 0; it is inside as an update. */
  private static final int BEING_CLEARED = 1;

  private static final int CLEARED = 2;

  final String name;
  final MapSettings settings;
  final Workers workers;
  final OperationLock lock;
  final Reservations reservations;
  final RetiredMemories spent = new RetiredMemories();

  /** Written with exclusive access. */
  volatile T table;

  /**
   * The table before the present one, if keys can be removed and it had the same size; otherwise
   * null. Accessed with exclusive access.
   */
  private @Nullable T earlier;

  /** State of the memories of the earlier table, if there is one. */
  private final AtomicInteger earlierState = new AtomicInteger(CLEARED);

  /** Odd while the map is cleared, and different afterwards. */
  private final AtomicLong version = new AtomicLong();

  /**
   * Creates the store's table, empty or from a file.
   *
   * @param fresh allocates an empty table
   * @param adopt returns the table of a file
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

  /** Returns an empty table of another capacity, with memory for some words of text. */
  abstract T resized(long capacity, long textWords);

  /**
   * Returns the words of text of a table that replaces the present one; 0 if keys have none.
   *
   * @param lacking words that are lacking; 0 if only slots are
   */
  long textWords(long capacity, long lacking) {
    return 0;
  }

  /** Returns an empty table in the memories of another one, which are or will be all 0. */
  abstract T emptied(T other, long seed);

  /** Moves all entries, with exclusive access; if that fails, the old table is unchanged. */
  abstract void move(T old, T fresh);

  /** Prepares the memories of a new table where the kernels run; if that fails, they are freed. */
  private void makeReady(List<Memory> memories) {
    orFree(memories, () -> workers.makeReady(memories));
  }

  /** Runs work with memories that are freed if it fails. */
  private static void orFree(List<Memory> memories, Runnable work) {
    boolean _ =
        Memories.orFree(
            memories,
            () -> {
              work.run();
              return true;
            });
  }

  /** Returns the capacity to grow to, at least, so that the table need not grow again soon. */
  public static long enlarged(long size) {
    return (size < SMALL ? 4 : 2) * size;
  }

  /**
   * Replaces a full table by a larger one, unless another thread has done so, or there is capacity
   * by now.
   *
   * @param more number of keys for which there must be capacity
   * @param text words of text that are lacking; 0 if there were enough
   */
  public final void grow(T full, long more, long text) {
    exclusivelyIf(
        full,
        () -> {
          if (more > full.rest() || text > 0) {
            makeRoom(full, more, text);
          }
        });
  }

  /**
   * Runs work exclusively if a table is still in place.
   *
   * <p>If the work rebuilt the table, the memory of the earlier table is then set to 0, while other
   * threads update the map. The next rebuild, which keeps them out, therefore takes less time.
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  final void exclusivelyIf(T full, Runnable work) {
    lock.exclusivelyIf(() -> table == full, work);
    if (earlierState.get() == USED) {
      try (Entry _ = lock.enterUpdate()) {
        T other = earlier;
        if (other != null && earlierState.compareAndSet(USED, BEING_CLEARED)) {
          other.memoriesOfKeys().forEach(memory -> memory.segment().fill((byte) 0));
          earlierState.set(CLEARED);
        }
      }
    }
  }

  /**
   * Moves the entries to a table with capacity for more keys: of the same size if that gives room,
   * at most half of it holds keys, and it is not too small for its threads, or if only text is
   * lacking; otherwise to a larger one.
   */
  final void makeRoom(T full, long more, long text) {
    boolean anyRemoved = full.removed() > 0;
    long keys = full.capacity - full.rest() - full.removed();
    long least = anyRemoved ? leastRebuilt(full) : 0;
    boolean suffices =
        anyRemoved
            ? keys <= full.capacity / 2 && keys + more <= full.capacity && full.capacity >= least
            : more <= full.rest();
    long larger = Math.max(enlarged(full.capacity), keys + more + lock.waiting());
    moveTo(suffices ? full.capacity : Math.max(larger, least), text);
  }

  /**
   * Returns the capacity from which a table is rebuilt in the same size, which depends on the bytes
   * of a key and on the number of threads that insert keys one by one.
   */
  private long leastRebuilt(T full) {
    int threads = reservations.threads();
    long bytesOfKey = Math.max(1, full.byteSize() / Math.max(1, full.capacity));
    return threads > 1 ? threads * BYTES_PER_THREAD / bytesOfKey : 0;
  }

  /** Rebuilds the table, with exclusive access, if keys were removed from it. */
  final void dropRemoved() {
    if (table.removed() > 0) {
      moveTo(table.capacity, 0);
    }
  }

  /**
   * Grows a table that had no capacity for a key, unless it has some by now or the key is present.
   * The caller has exclusive access.
   *
   * @param absent whether the key is absent: the thread that took the last capacity may have
   *     inserted this key
   * @param text words of text that are lacking for the key; 0 if there are enough
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  final void growForOne(T full, BooleanSupplier absent, long text) {
    boolean stillFull = table == full && (full.rest() == 0 || text > 0);
    if (stillFull && absent.getAsBoolean()) {
      if (!settings.options().fixed()) {
        // Each waiting thread is probably about to insert a similar key.
        makeRoom(full, 1, (1L + lock.waiting()) * text);
      } else if (full.removed() > 0) {
        dropRemoved();
      } else {
        throw new MapFullException(name, full.capacity);
      }
    }
  }

  /** Moves the entries to a table with another capacity. */
  public final void rehash(long capacity) {
    recount();
    lock.exclusively(() -> rehashAlone(capacity));
  }

  private void rehashAlone(long capacity) {
    if (capacity < table.size()) {
      throw new IllegalArgumentException(
          "a capacity of %d is too small for the %d keys of the map"
              .formatted(capacity, table.size()));
    }
    moveTo(capacity, 0);
  }

  /**
   * Replaces the table by one with another capacity, with exclusive access: all entries, with their
   * text, are moved in one pass.
   */
  final void moveTo(long capacity, long lackingText) {
    Span span = Span.growth();
    T old = table;
    T fresh = empty(capacity, textWords(capacity, lackingText));
    orFree(fresh.memories(), () -> move(old, fresh));
    replaceBy(fresh);
    span.moved(name, fresh.byteSize());
  }

  /**
   * Returns an empty table to move to, in memories that are ready. If the present table was a
   * rebuild of another one, and the memories of that were kept, they are used again. Readers of
   * that table find that it is no longer in place.
   */
  private T empty(long capacity, long textWords) {
    T other = earlier;
    boolean isCleared = earlierState.getAndSet(CLEARED) == CLEARED;
    earlier = null;
    if (other == null
        || other.capacity != capacity
        || other.textWords() != textWords
        || !spent.takeBack(other.memories())) {
      T fresh = resized(capacity, textWords);
      makeReady(fresh.memories());
      return fresh;
    }
    if (!isCleared) {
      orFree(other.memories(), () -> other.memoriesOfKeys().forEach(this::fillWithZeros));
    }
    return emptied(other, table.seed);
  }

  /**
   * Publishes the present table to threads that read single keys, if they may read it without the
   * lock. A thread that began before reads again. Called before and after each change, other than
   * an update, of what such a thread may find.
   *
   * @param by whether there is a table to read
   */
  void read(boolean by) {}

  /** Notes which table is in place. */
  abstract void replaced(T next);

  /** Puts a table in place for single keys. */
  private void use(T next) {
    table.gatherAhead();
    next.openTo(reservations);
    table = next;
    replaced(next);
  }

  /** Calls {@link #read} with the present state. */
  final void readers() {
    read(workers.onJvm());
  }

  /** Replaces the present table, whose memories are freed, with exclusive access. */
  private void replaceBy(T fresh) {
    T old = table;
    use(fresh);
    boolean takesTurns = settings.options().removable() && fresh.byteSize() == old.byteSize();
    try {
      readers();
    } finally {
      boolean isKept =
          spent.freeLater(
              old.memories(), takesTurns ? MAX_REUSED_BYTES : RetiredMemories.MAX_KEPT_BYTES);
      if (isKept && takesTurns && workers.onJvm()) {
        earlier = old;
        earlierState.set(USED);
      }
    }
  }

  /**
   * Counts the keys again if a launch has failed after an unknown number of inserts, and releases
   * the slots that it held. If that fails too, as on a device that does not answer, capacity for
   * the keys stays reserved.
   */
  public final void recount() {
    if (table.isUncounted()) {
      boolean interrupted = Thread.interrupted();
      try {
        lock.exclusively(this::recountAlone);
      } catch (GyreException e) {
        // The caller already gets an exception that launches fail or the map is closed.
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private void recountAlone() {
    Memory[] memories = table.memories().toArray(Memory[]::new);
    workers.readBack(memories);
    if (table.releaseHeld()) {
      workers.hostWrote(memories);
    }
    table.setSize(table.count(MapCodes.FILLED), table.count(MapCodes.REMOVED));
  }

  /** Removes all keys, where the table is: memory of a device is set to 0 there. */
  public final void clear() {
    lock.exclusively(this::clearAlone);
  }

  private void clearAlone() {
    read(false);
    version.incrementAndGet();
    try {
      // Another seed, because keys may be inserted again in the order of the old one.
      T empty = emptied(table, TableSeed.next(table.seed));
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
          TaskRange.cut(0, memory.byteSize(), FILL_BYTES),
          (_, task) -> memory.segment().asSlice(task.from(), task.size()).fill((byte) 0));
    } catch (GyreException | OutOfMemoryError e) {
      // Interrupted, or without threads or heap: all keys must be removed nevertheless.
      memory.segment().fill((byte) 0);
    }
  }

  /** Returns the version by which a reader without the lock detects that the map was cleared. */
  public final long version() {
    return version.get();
  }

  /** Throws the exception of a table, unless the table was changed or replaced meanwhile. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  public final void requireReplaced(T used, long versionBefore, RuntimeException thrown) {
    requireOpen();
    if (table == used && version.get() == versionBefore) {
      throw thrown;
    }
  }

  /** Returns a number of the present table. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
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
