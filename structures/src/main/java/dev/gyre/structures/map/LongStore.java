package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is behind a map: its present table, who may use it now, and what runs its operations. */
final class LongStore implements AutoCloseable {

  private static final long FILL_BYTES = 1 << 22;

  private final String name;
  private final MapSettings settings;
  private final Gate gate;
  private final LongStages stages = new LongStages();
  private volatile Workers workers;
  private volatile boolean defers;

  /** Written inside the gate, alone. */
  volatile LongTable table;

  LongStore(String name, MapSettings settings) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.defers = defersOn(settings.launcher());
    this.gate = new Gate(name);
    this.table = allocate(settings.capacity());
    workers.clearOnDevice(table.memories());
  }

  private LongTable allocate(long capacity) {
    return LongTables.allocate(settings.layout(), capacity, settings.loadFactor(), settings.seed());
  }

  String name() {
    return name;
  }

  Gate gate() {
    return gate;
  }

  Workers workers() {
    return workers;
  }

  /** The present table; who uses it is inside the gate. */
  LongTable table() {
    return table;
  }

  LongStages stages() {
    return stages;
  }

  private boolean defersOn(Launcher launcher) {
    return settings.layout() != Layout.PACKED && settings.waiting().defers(name, launcher);
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
    return LongInsertion.run(this, keys, values, policy, found, options);
  }

  FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    return LongLookup.run(this, keys, found, options);
  }

  long retrieveAll(Longs keys, Longs values) {
    requireOpen();
    return new LongRetrieval(this).all(keys, values);
  }

  void forEach(LongLongConsumer action) {
    requireOpen();
    new LongRetrieval(this).forEach(action);
  }

  /** Number of slots that are RESERVED, where nobody updates. */
  long reserved() {
    requireOpen();
    return new LongRetrieval(this).reserved();
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

  void rehash(long capacity) {
    gate.enterExclusive();
    try {
      if (capacity < table.taken()) {
        throw new IllegalArgumentException(
            "a capacity of %d is too small for the %d keys of the map"
                .formatted(capacity, table.taken()));
      }
      moveTo(capacity);
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Replaces the table by one with another capacity; the caller is alone. */
  private void moveTo(long capacity) {
    LongTable old = table;
    LongTable fresh = allocate(capacity);
    try {
      workers.clearOnDevice(fresh.memories());
      new LongRehash(this, old, fresh).run();
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    table = fresh;
    old.close();
  }

  /** Has another launcher run what follows; the table goes along. */
  void runOn(Launcher launcher) {
    boolean deferring = defersOn(launcher);
    gate.enterExclusive();
    try {
      Memory[] memories = table.memories().toArray(Memory[]::new);
      workers.readBack(memories);
      stages.drop();
      workers = new Workers(launcher);
      defers = deferring;
      workers.hostWrote(memories);
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  void clear() {
    gate.enterExclusive();
    try {
      workers.clearOnDevice(table.memories());
      for (Memory memory : workers.onJvm() ? table.memories() : List.<Memory>of()) {
        workers.run(
            "clear",
            Step.cut(0, memory.byteSize(), FILL_BYTES),
            (worker, step) -> memory.segment().asSlice(step.from(), step.size()).fill((byte) 0));
      }
      table.setTaken(0);
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
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

  private void requireOpen() {
    if (gate.isClosed()) {
      throw new ClosedException(name);
    }
  }

  @Override
  public void close() {
    try {
      gate.enterExclusive();
    } catch (ClosedException e) {
      return;
    }
    try {
      gate.close();
      table.close();
      stages.close();
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
      if (settings.ownsLauncher()) {
        settings.launcher().close();
      }
    }
  }
}
