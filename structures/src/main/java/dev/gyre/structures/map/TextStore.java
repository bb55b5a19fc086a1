package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.SpentMemories;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a map with text keys: its present table, who may use it now, and what runs its
 * operations; as {@link LongStore}.
 */
final class TextStore implements AutoCloseable {

  /** Keys or slots that a worker of the JVM does at once. */
  static final int STEP = 1 << 12;

  private final String name;
  private final MapSettings settings;
  private final Residence residence = new Residence();
  private final SpentMemories spent = new SpentMemories();

  /** Where words are counted, which goes on where the map is moved: only the end waits for it. */
  private final Residence tallies = new Residence();

  // Written inside the gate, alone, and where nobody stays in the residence.
  private volatile Workers workers;
  private volatile boolean defers;
  private final Gate gate;

  private final TextStages stages = new TextStages();
  private final TextGrowth growth;

  /** Odd while the map is cleared, and another one after that and after it was moved. */
  private final AtomicLong version = new AtomicLong();

  /** Written inside the gate, alone. */
  volatile TextTable table;

  TextStore(String name, MapSettings settings) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.defers = settings.waiting().defers(name, settings.launcher());
    this.gate = new Gate(name);
    this.growth = new TextGrowth(this, settings);
    SavedMap saved = settings.saved();
    if (saved == null) {
      long words = Math.max(1, Math.ceilDiv(settings.textBytes(), Long.BYTES));
      this.table =
          TextTable.allocate(settings.capacity(), settings.loadFactor(), words, settings.seed());
      makeReady(table);
    } else {
      this.table = SavedText.adopt(saved);
    }
  }

  /** Nobody else would close the table if that fails. */
  private void makeReady(TextTable fresh) {
    try {
      workers.makeReady(List.of(fresh.slotMemory, fresh.arenaMemory));
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
  }

  InsertCounts insert(
      TextKeys keys, Longs values, int policy, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    return keys.use(
        () -> residence.stay(() -> TextInsertion.run(this, keys, values, policy, found, options)));
  }

  FindCounts find(TextKeys keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    return keys.use(() -> residence.stay(() -> TextLookup.run(this, keys, found, options)));
  }

  /** Counts the words of a text; see {@link WordTally}. */
  long countWords(TextLongMap map, MemorySegment text, Words words) {
    requireOpen();
    return tallies.stay(() -> WordTally.run(map, this, text, words));
  }

  /** As {@link LongStore#settle}. */
  void settle() {
    if (table.isUncounted()) {
      boolean interrupted = Thread.interrupted();
      try {
        gate.exclusively(
            () -> {
              workers.readBack(table.slotMemory);
              table.setTaken(table.count());
            });
      } catch (GyreException e) {
        // Who called has been told, or is about to be, that launches fail or the map is closed.
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
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

  /** Steps over keys or slots. */
  List<Step> steps(long count) {
    return Step.cut(0, count, workers.onJvm() ? STEP : Math.max(1, count));
  }

  /** How many steps over keys are done at the same time. */
  int workersFor(long count) {
    return Math.clamp(Math.ceilDiv(count, STEP), 1, workers.count());
  }

  /** Brings keys and values to where kernels read them. */
  void send(TextKeys keys, TextStage stage) {
    workers.hostWrote(keys.words().memory(), keys.places().memory());
    workers.hostWrote(stage.memories());
  }

  /** What is read of the table where nobody updates, with the host's copy up to date. */
  <T> T quiescent(Function<TextTable, T> read) {
    settle();
    gate.enterQuiescentRead();
    try {
      TextTable used = table;
      workers.readBack(used.memories().toArray(Memory[]::new));
      return read.apply(used);
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  void save(Path file) {
    quiescent(
        used -> {
          SavedText.save(used, file);
          return file;
        });
  }

  void runOn(Launcher launcher) {
    Objects.requireNonNull(launcher, "launcher");
    boolean deferring = settings.waiting().defers(name, launcher);
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
      table.clear();
      workers.hostWrote(table.memories().toArray(Memory[]::new));
    } finally {
      version.incrementAndGet();
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  String name() {
    return name;
  }

  Device device() {
    return workers.device();
  }

  long pollLimit() {
    return settings.pollLimit();
  }

  /** How kernels that may meet a reserved slot are launched. */
  TextLaunches launches() {
    return new TextLaunches(workers, defers, settings.pollLimit());
  }

  Gate gate() {
    return gate;
  }

  TextTable table() {
    return table;
  }

  /** What changes the table's size. */
  TextGrowth growth() {
    return growth;
  }

  /** Where memory goes that has been replaced. */
  SpentMemories spent() {
    return spent;
  }

  TextStages stages() {
    return stages;
  }

  Workers workers() {
    return workers;
  }

  boolean isFixed() {
    return settings.fixed();
  }

  long version() {
    return version.get();
  }

  boolean onJvm() {
    return workers.onJvm();
  }

  void requireOpen() {
    if (gate.isClosed()) {
      throw new ClosedException(name);
    }
  }

  /** Throws what a table threw, unless another has taken its place. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void requireReplaced(TextTable used, long versionBefore, RuntimeException thrown) {
    requireOpen();
    if (table == used && version.get() == versionBefore) {
      throw thrown;
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
        TextTable _ = table) {
      // In any case all of them.
    }
  }

  /** Closes it when operations have left that are between two entries of the gate. */
  private void closeLauncher() {
    residence.move(() -> tallies.move(settings.launcher()::close));
  }
}
