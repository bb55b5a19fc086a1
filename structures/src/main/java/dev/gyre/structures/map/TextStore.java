package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextSlots;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a map with text keys: its present table, who may use it now, and bulk operations
 * in steps, as in {@link LongStore}.
 *
 * <p>A step that may not have room for its keys does nothing; one that finds no room for their text
 * leaves those keys PENDING. Either is done again when table or arena have grown or, where the
 * capacity is fixed, alone, against the room that is left.
 */
final class TextStore implements AutoCloseable {

  private static final int STEP = 1 << 12;

  /** Words that a thread of the JVM takes from the arena at once. */
  private static final long JVM_CHUNK = 1 << 9;

  private final String name;
  private final MapSettings settings;
  private volatile Workers workers;
  private final Gate gate;

  /** One for each thread that may be at it, within reason. */
  private final BlockingQueue<TextStage> spares =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  /** Odd while slots change other than by inserts and updates, and another one after that. */
  private final AtomicLong version = new AtomicLong();

  /** Written inside the gate, alone. */
  private volatile TextTable table;

  TextStore(String name, MapSettings settings) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.gate = new Gate(name);
    SavedMap saved = settings.saved();
    if (saved == null) {
      long words = Math.max(1, Math.ceilDiv(settings.textBytes(), Long.BYTES));
      this.table =
          TextTable.allocate(settings.capacity(), settings.loadFactor(), words, settings.seed());
    } else {
      this.table = SavedText.adopt(saved);
    }
    workers.hostWrote(table.memories().toArray(Memory[]::new));
  }

  InsertCounts insert(
      TextKeys keys, Longs values, int policy, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    options.skipAll();
    Sums sums = new Sums();
    int count = keys.count();
    TextStage stage = borrow(count);
    try {
      stage.enter(count, values, options);
      enter(keys, stage);
      List<Step> left = steps(count);
      while (!left.isEmpty()) {
        left = insertSome(keys, stage, left, policy, sums);
      }
      leave(stage);
      stage.leave(count, found, options);
    } finally {
      giveBack(stage);
    }
    sums.requireNoneStuck(name, "insert", workers.device());
    return new InsertCounts(
        sums.of(MapCodes.INSERTED), sums.of(MapCodes.PRESENT), sums.of(MapCodes.FULL));
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

  private List<Step> steps(long count) {
    return Step.cut(0, count, workers.onJvm() ? STEP : Math.max(1, count));
  }

  /** Does steps, and makes room for what is left of them; returns that. */
  private List<Step> insertSome(
      TextKeys keys, TextStage stage, List<Step> steps, int policy, Sums sums) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    AtomicBoolean noText = new AtomicBoolean();
    gate.enterUpdate();
    TextTable used = table;
    try {
      workers.run(
          "insert",
          steps,
          (worker, step) -> {
            DeviceLongs counters = stage.freshCounters(worker);
            if (!insertStep(used, keys, stage, counters, step, policy)) {
              left.add(step);
            }
            if (counters.get(TextSlots.PENDING_COUNT) > 0) {
              noText.set(true);
            }
            sums.add(counters);
          });
    } finally {
      gate.leave(Gate.Mode.UPDATE);
    }
    List<Step> refused = List.copyOf(left);
    if (!refused.isEmpty() && settings.fixed()) {
      insertAlone(keys, stage, refused, policy, sums);
      return List.of();
    }
    if (!refused.isEmpty()) {
      growFor(used, keys, refused, noText.get());
    }
    return refused;
  }

  /** Inserts the keys of a step; returns whether there was room for all. */
  private boolean insertStep(
      TextTable used, TextKeys keys, TextStage stage, DeviceLongs counters, Step step, int policy) {
    if (!used.take(step.size())) {
      return false;
    }
    try {
      long chunk = workers.onJvm() && step.size() == STEP ? JVM_CHUNK : 0;
      workers.launch(
          used.insert(keys, stage, counters, step, policy, 0, chunk, settings.pollLimit()),
          step.size(),
          counters);
    } finally {
      used.giveBack(step.size() - counters.get(MapCodes.INSERTED));
    }
    return counters.get(TextSlots.PENDING_COUNT) == 0;
  }

  private void insertAlone(
      TextKeys keys, TextStage stage, List<Step> steps, int policy, Sums sums) {
    gate.enterExclusive();
    try {
      for (Step step : steps) {
        DeviceLongs counters = stage.freshCounters(0);
        long room = table.capacity - table.taken();
        counters.set(MapCodes.ROOM, room);
        counters.set(MapCodes.UNCLAIMED, room);
        int bounded = MapCodes.BOUNDED;
        workers.launch(
            table.insert(keys, stage, counters, step, policy, bounded, 0, settings.pollLimit()),
            step.size(),
            counters);
        table.setTaken(table.taken() + counters.get(MapCodes.INSERTED));
        leave(stage);
        long full = stage.giveUp(step);
        workers.hostWrote(stage.outcomeMemory);
        counters.set(MapCodes.FULL, counters.get(MapCodes.FULL) + full);
        sums.add(counters);
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Makes room for keys that did not fit in a table, unless another thread has done so. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private void growFor(TextTable full, TextKeys keys, List<Step> left, boolean text) {
    long largest = left.stream().mapToLong(Step::size).max().orElse(0);
    gate.enterExclusive();
    try {
      long needed = table.taken() + largest * Math.min(left.size(), workers.count());
      if (table == full && needed > full.capacity) {
        moveTo(Math.max(2 * full.capacity, needed));
      }
      if (table.arena == full.arena && text) {
        long room = left.stream().mapToLong(s -> keys.room(s.from(), s.to())).sum();
        growArena(room + JVM_CHUNK * workers.count());
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Makes room for one key that found none in a table, unless there is some by now. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void growForOne(TextTable full, long words) {
    gate.enterExclusive();
    try {
      boolean keys = table == full && full.taken() == full.capacity;
      boolean text = table.arena == full.arena && full.bump.get(0) + words > full.arena.length();
      if ((keys || text) && settings.fixed()) {
        throw new MapFullException(name, full.capacity);
      }
      if (keys) {
        moveTo(2 * full.capacity);
      }
      if (text) {
        growArena(words);
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Replaces the arena by one with more room; the caller is alone. */
  private void growArena(long room) {
    TextTable old = table;
    workers.readBack(old.memories().toArray(Memory[]::new));
    TextTable fresh = old.withArena(Math.max(2 * old.arena.length(), old.arena.length() + room));
    workers.hostWrote(fresh.memories().toArray(Memory[]::new));
    table = fresh;
    old.arenaMemory.close();
  }

  /** Replaces the slots by others; the caller is alone. */
  private void moveTo(long capacity) {
    TextTable old = table;
    TextTable fresh = old.resized(capacity, settings.loadFactor());
    try (Memory counters = Memory.ofLongs(1)) {
      workers.clearOnDevice(List.of(fresh.slotMemory));
      DeviceLongs none = DeviceLongs.of(counters);
      workers.run(
          "rehash",
          steps(old.slots),
          (worker, step) -> workers.launch(old.move(fresh, step), step.size(), none));
    } catch (RuntimeException | Error e) {
      fresh.slotMemory.close();
      throw e;
    }
    fresh.setTaken(old.taken());
    table = fresh;
    old.slotMemory.close();
  }

  FindCounts find(TextKeys keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    Sums sums = new Sums();
    int count = keys.count();
    TextStage stage = borrow(count);
    try {
      stage.enter(count, null, options);
      enter(keys, stage);
      int flags = found == null ? 0 : MapCodes.VALUES;
      Gate.Mode mode = gate.enterRead();
      try {
        TextTable used = table;
        int all = flags + (mode == Gate.Mode.QUIESCENT_READ ? MapCodes.QUIESCENT : 0);
        workers.run(
            "find",
            steps(count),
            (worker, step) -> {
              DeviceLongs counters = stage.freshCounters(worker);
              workers.launch(
                  used.find(keys, stage, counters, step, all, settings.pollLimit()),
                  step.size(),
                  counters);
              sums.add(counters);
            });
      } finally {
        gate.leave(mode);
      }
      leave(stage);
      stage.leave(count, found, options);
    } finally {
      giveBack(stage);
    }
    sums.requireNoneStuck(name, "find", workers.device());
    return new FindCounts(sums.of(MapCodes.FOUND), sums.of(MapCodes.ABSENT));
  }

  /** Brings keys and values to where kernels read them. */
  private void enter(TextKeys keys, TextStage stage) {
    workers.hostWrote(keys.words().memory(), keys.places().memory());
    workers.hostWrote(stage.memories());
  }

  private void leave(TextStage stage) {
    workers.readBack(stage.memories());
  }

  /** What is read of the table where nobody updates, with the host's copy up to date. */
  <T> T quiescent(Function<TextTable, T> read) {
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
    gate.enterExclusive();
    try {
      Memory[] memories = table.memories().toArray(Memory[]::new);
      version.incrementAndGet();
      workers.readBack(memories);
      closeSpares();
      workers = new Workers(launcher);
      workers.hostWrote(memories);
      version.incrementAndGet();
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  void clear() {
    gate.enterExclusive();
    try {
      version.incrementAndGet();
      table.clear();
      workers.hostWrote(table.memories().toArray(Memory[]::new));
      version.incrementAndGet();
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

  String name() {
    return name;
  }

  Device device() {
    return workers.device();
  }

  long pollLimit() {
    return settings.pollLimit();
  }

  Gate gate() {
    return gate;
  }

  TextTable table() {
    return table;
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

  private TextStage borrow(int length) {
    TextStage kept = spares.poll();
    if (kept != null && kept.holds(length, workers.count())) {
      return kept;
    }
    if (kept != null) {
      kept.close();
    }
    return new TextStage(length, workers.count());
  }

  private void giveBack(TextStage stage) {
    if (!spares.offer(stage)) {
      stage.close();
    }
    // The map may have been closed meanwhile.
    if (gate.isClosed()) {
      closeSpares();
    }
  }

  private void closeSpares() {
    for (TextStage kept = spares.poll(); kept != null; kept = spares.poll()) {
      kept.close();
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
      closeSpares();
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
      if (settings.ownsLauncher()) {
        settings.launcher().close();
      }
    }
  }
}
