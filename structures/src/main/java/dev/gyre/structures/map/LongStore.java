package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.SpentMemories;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is behind a map: its present table, who may use it now, and what runs its operations. */
final class LongStore implements AutoCloseable {

  private static final long FILL_BYTES = 1 << 22;

  private final String name;
  private final MapSettings settings;
  private final Gate gate;
  private final LongStages stages = new LongStages();
  private final Residence residence = new Residence();
  private final SpentMemories spent = new SpentMemories();

  // Written inside the gate, alone, and where nobody stays in the residence.
  private volatile Workers workers;
  private volatile boolean defers;

  /** Written inside the gate, alone. */
  volatile LongTable table;

  /** Odd while the map is cleared, and another one after that and after it was moved. */
  private final AtomicLong version = new AtomicLong();

  LongStore(String name, MapSettings settings) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.defers = defersOn(settings.launcher());
    this.gate = new Gate(name);
    SavedMap saved = settings.saved();
    if (saved == null) {
      this.table = allocate(settings.capacity());
      makeReady(table);
    } else {
      this.table = LongTables.adopt(saved);
    }
  }

  private LongTable allocate(long capacity) {
    return LongTables.allocate(settings.layout(), capacity, settings.loadFactor(), settings.seed());
  }

  /** Makes a table ready where the kernels run; nobody else would close it if that fails. */
  private void makeReady(LongTable fresh) {
    try {
      workers.makeReady(fresh.memories());
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
  }

  String name() {
    return name;
  }

  Device device() {
    return workers.device();
  }

  Gate gate() {
    return gate;
  }

  Workers workers() {
    return workers;
  }

  /** The present table; who updates it by itself is inside the gate. */
  LongTable table() {
    return table;
  }

  /** See {@link LongAccess}. */
  long version() {
    return version.get();
  }

  /** Whether the JVM's threads do all work, so that single keys are best done by the caller. */
  boolean onJvm() {
    return workers.onJvm();
  }

  /** Refuses what is done in the JVM's memory only. */
  void requireOnJvm() {
    requireOpen();
    if (!onJvm()) {
      throw new UnsupportedOperationException(
          "%s: its table is on a device; use bulk operations, or runOn a JVM launcher"
              .formatted(name));
    }
  }

  /** Throws what a table threw, unless another has taken its place. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void requireReplaced(LongTable used, IllegalStateException thrown) {
    requireOpen();
    if (table == used) {
      throw thrown;
    }
  }

  LongStages stages() {
    return stages;
  }

  private boolean defersOn(Launcher launcher) {
    return (waitsForSlots() || settings.fixed()) && settings.waiting().defers(name, launcher);
  }

  /** Whether there are slots to wait for; elsewhere only the last room of a table is. */
  boolean waitsForSlots() {
    return settings.layout() != Layout.PACKED;
  }

  /** Whether keys that would have to wait are left to following launches. */
  boolean defers() {
    return defers;
  }

  /** Polls of a wait, or following launches where nobody waits, after which keys are STUCK. */
  long pollLimit() {
    return settings.pollLimit();
  }

  boolean isFixed() {
    return settings.fixed();
  }

  InsertCounts insert(
      Longs keys, Longs values, int policy, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    return residence.stay(() -> LongInsertion.run(this, keys, values, policy, found, options));
  }

  FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    return residence.stay(() -> LongLookup.run(this, keys, found, options));
  }

  long retrieveAll(Longs keys, Longs values) {
    requireOpen();
    settle();
    return residence.stay(() -> new LongRetrieval(this).all(keys, values));
  }

  void forEach(LongLongConsumer action) {
    requireOpen();
    new LongRetrieval(this).forEach(action);
  }

  /** Number of slots that are RESERVED, where nobody updates. */
  long reserved() {
    requireOpen();
    return residence.stay(() -> new LongRetrieval(this).reserved());
  }

  /**
   * Replaces a table for which keys were too many by a larger one, unless another thread has done
   * so.
   *
   * @param expected new keys that are to come
   * @param atOnce keys for which room is taken at the same time
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void grow(LongTable full, long expected, long atOnce) {
    gate.enterExclusive();
    try {
      if (table == full) {
        long size = full.taken();
        moveTo(Math.max(2 * full.capacity, size + Math.max(expected, atOnce)));
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Makes room for a key that found none in a table, unless there is some by now, or the key. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void growForOne(LongTable full, long key) {
    gate.enterExclusive();
    try {
      boolean stillFull = onJvm() && table == full && full.taken() == full.capacity;
      // Who took the last room may have taken it for this key.
      if (stillFull && full.slotOf(key) < 0) {
        if (settings.fixed()) {
          throw new MapFullException(name, full.capacity);
        }
        moveTo(2 * full.capacity);
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /**
   * Counts the keys if a launch has failed of which nobody knows how many it inserted. Where that
   * cannot be done either, as on a device that does not answer, room for them stays taken.
   */
  void settle() {
    if (table.isUncounted()) {
      boolean interrupted = Thread.interrupted();
      try {
        gate.exclusively(() -> table.setTaken(new LongRetrieval(this).count()));
      } catch (GyreException e) {
        // Who called has been told, or is about to be, that launches fail or the map is closed.
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  void rehash(long capacity) {
    settle();
    gate.exclusively(
        () -> {
          if (capacity < table.taken()) {
            throw new IllegalArgumentException(
                "a capacity of %d is too small for the %d keys of the map"
                    .formatted(capacity, table.taken()));
          }
          moveTo(capacity);
        });
  }

  /** Replaces the table by one with another capacity; the caller is alone. */
  private void moveTo(long capacity) {
    LongTable old = table;
    LongTable fresh = allocate(capacity);
    makeReady(fresh);
    try {
      new LongRehash(this, old, fresh).run();
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    table = fresh;
    spent.free(old.memories());
  }

  /** Writes the table to a file, where nobody updates. */
  void save(Path file) {
    settle();
    quiescent(used -> LongTables.save(used, settings.layout(), file));
  }

  /** Reads the table where nobody updates, with the host's copy up to date. */
  void quiescent(Consumer<LongTable> read) {
    gate.enterQuiescentRead();
    try {
      workers.readBack(table.memories().toArray(Memory[]::new));
      read.accept(table);
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  /** Has another launcher run what follows; the table goes along. */
  void runOn(Launcher launcher) {
    Objects.requireNonNull(launcher, "launcher");
    boolean deferring = defersOn(launcher);
    residence.move(() -> runOn(launcher, deferring));
  }

  private void runOn(Launcher launcher, boolean deferring) {
    gate.enterExclusive();
    try {
      Memory[] memories = table.memories().toArray(Memory[]::new);
      // Before the host's copy changes: who read it when it was the table looks again.
      version.addAndGet(2);
      workers.readBack(memories);
      launcher.hostWrote(memories);
      stages.drop();
      workers = new Workers(launcher);
      defers = deferring;
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  void clear() {
    gate.enterExclusive();
    version.incrementAndGet();
    try {
      workers.clearOnDevice(table.memories());
      (workers.onJvm() ? table.memories() : List.<Memory>of()).forEach(this::fillWithZeros);
      table.setTaken(0);
    } finally {
      version.incrementAndGet();
      gate.leave(Gate.Mode.EXCLUSIVE);
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

  long size() {
    requireOpen();
    return table.taken();
  }

  long capacity() {
    requireOpen();
    return table.capacity;
  }

  long byteSize() {
    requireOpen();
    return table.byteSize();
  }

  long slots() {
    return table.slots;
  }

  void requireOpen() {
    if (gate.isClosed()) {
      throw new ClosedException(name);
    }
  }

  @Override
  public void close() {
    try {
      gate.enterExclusive();
    } catch (ClosedException e) {
      // What was in use the first time may not be any more.
      free();
      return;
    }
    try {
      gate.close();
      free();
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
      if (settings.ownsLauncher()) {
        closeLauncher();
      }
    }
  }

  private void free() {
    try (spent;
        stages;
        LongTable _ = table) {
      // In any case all of them.
    }
  }

  /** Closes it when operations have left that are between two entries of the gate. */
  private void closeLauncher() {
    residence.move(settings.launcher()::close);
  }
}
