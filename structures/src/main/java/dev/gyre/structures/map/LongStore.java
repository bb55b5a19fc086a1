package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is behind a map: its present table, who may use it now, and bulk operations in steps.
 *
 * <p>A step of an insert first takes room for all its keys, then runs, then gives back what it did
 * not use; so the device function need not count, and a step that cannot have room is put aside.
 * Steps put aside are done again after growth or, where the capacity is fixed, one after the other
 * and alone, against the room that is left: then the count is exact, and so is what is FULL.
 */
final class LongStore implements AutoCloseable {

  private static final long FILL_BYTES = 1 << 22;
  private static final double GROWTH_MARGIN = 1.1;

  private final String name;
  private final MapSettings settings;
  private volatile Workers workers;
  private final Gate gate;
  private final AtomicReference<@Nullable LongStage> spare = new AtomicReference<>();

  /** Written inside the gate, alone. */
  volatile LongTable table;

  /** Odd while slots change other than by inserts and updates, and another one after that. */
  private final AtomicLong version = new AtomicLong();

  LongStore(String name, MapSettings settings) {
    this.name = name;
    this.settings = settings;
    this.workers = new Workers(settings.launcher());
    this.gate = new Gate(name);
    SavedMap saved = settings.saved();
    if (saved == null) {
      this.table = allocate(settings.capacity());
      workers.clearOnDevice(table.memories());
    } else {
      this.table = LongTables.adopt(saved);
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

  /** Makes room for one key that found none in a table, unless there is some by now. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void growForOne(LongTable full) {
    gate.enterExclusive();
    try {
      if (table == full && full.taken() == full.capacity) {
        if (settings.fixed()) {
          throw new MapFullException(name, full.capacity);
        }
        moveTo(2 * full.capacity);
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Writes the table to a file, where nobody updates. */
  void save(Path file) {
    gate.enterQuiescentRead();
    try {
      workers.readBack(table.memories().toArray(Memory[]::new));
      LongTables.save(table, settings.layout(), file);
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  private LongTable allocate(long capacity) {
    return LongTables.allocate(settings.layout(), capacity, settings.loadFactor(), settings.seed());
  }

  InsertCounts insert(
      Longs keys, Longs values, int policy, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    options.skipAll();
    Sums sums = new Sums();
    long from = 0;
    while (from < keys.length()) {
      int length = LongBatch.lengthFor(workers, table, keys.length() - from);
      int regionBits = LongBatch.regionBits(workers, table, length);
      LongStage stage = borrow(length, regionBits > 0);
      try {
        LongBatch batch =
            new LongBatch(keys, values, found, options, from, length, stage, regionBits);
        insert(batch, stage, policy, flags(options), keys.length() - from - length, sums);
      } finally {
        giveBack(stage);
      }
      from += length;
    }
    sums.requireNoneStuck(name, "insert", workers.device());
    return new InsertCounts(
        sums.of(MapCodes.INSERTED), sums.of(MapCodes.PRESENT), sums.of(MapCodes.FULL));
  }

  private int flags(BulkOptions options) {
    return workers.options()
        + (options.mask() == null ? 0 : MapCodes.MASKED)
        + (options.outcomes() == null ? 0 : MapCodes.OUTCOMES);
  }

  private void insert(
      LongBatch batch, LongStage stage, int policy, int flags, long later, Sums sums) {
    List<Step> left = batch.begin(workers, table);
    while (!left.isEmpty()) {
      List<Step> refused = new ArrayList<>();
      gate.enterUpdate();
      LongTable used = table;
      try {
        List<Step> all = left;
        workers.run(
            "insert",
            all,
            (worker, step) -> {
              if (!insertStep(used, batch, stage, worker, step, policy, flags, sums)) {
                synchronized (refused) {
                  refused.add(step);
                }
              }
            });
      } finally {
        gate.leave(Gate.Mode.UPDATE);
      }
      left = refused;
      if (!left.isEmpty()) {
        if (settings.fixed()) {
          insertAlone(batch, stage, left, policy, flags, sums);
          left = List.of();
        } else {
          growFor(used, left, later, sums);
        }
      }
    }
  }

  /** Inserts the keys of a step; returns false, having done nothing, if there may not be room. */
  private boolean insertStep(
      LongTable used,
      LongBatch batch,
      LongStage stage,
      int worker,
      Step step,
      int policy,
      int flags,
      Sums sums) {
    if (!used.take(step.size())) {
      return false;
    }
    DeviceLongs counters = stage.freshCounters(worker);
    try {
      enter(batch, stage, step);
      batch.warm(used, step);
      workers.launch(
          used.insert(stage, counters, step, policy, flags, settings.pollLimit()),
          step.size(),
          counters);
      leave(batch, stage, step);
    } finally {
      used.giveBack(step.size() - counters.get(MapCodes.INSERTED));
    }
    sums.add(counters);
    return true;
  }

  private void insertAlone(
      LongBatch batch, LongStage stage, List<Step> steps, int policy, int flags, Sums sums) {
    gate.enterExclusive();
    try {
      for (Step step : steps) {
        DeviceLongs counters = stage.freshCounters(0);
        long room = table.capacity - table.taken();
        counters.set(MapCodes.ROOM, room);
        counters.set(MapCodes.UNCLAIMED, room);
        enter(batch, stage, step);
        int bounded = flags + MapCodes.BOUNDED;
        workers.launch(
            table.insert(stage, counters, step, policy, bounded, settings.pollLimit()),
            step.size(),
            counters);
        table.setTaken(table.taken() + counters.get(MapCodes.INSERTED));
        leave(batch, stage, step);
        sums.add(counters);
      }
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Brings the keys of a step to where kernels read them. */
  private void enter(LongBatch batch, LongStage stage, Step step) {
    batch.enter(step);
    workers.hostWrote(stage.keys.memory(), stage.values.memory(), stage.outcomeMemory);
  }

  /** Takes what kernels wrote to the caller. */
  private void leave(LongBatch batch, LongStage stage, Step step) {
    if (batch.goesBack()) {
      workers.readBack(stage.values.memory(), stage.outcomeMemory);
    }
    batch.leave(step);
  }

  /** Makes room for keys that did not fit in a table, unless another thread has done so. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private void growFor(LongTable full, List<Step> left, long later, Sums sums) {
    long keysLeft = later + left.stream().mapToLong(Step::size).sum();
    long largest = left.stream().mapToLong(Step::size).max().orElse(0);
    gate.enterExclusive();
    try {
      if (table == full) {
        long size = full.taken();
        double newKeys = Math.min(1, sums.shareInserted() * GROWTH_MARGIN);
        long expected = size + (long) Math.ceil(keysLeft * newKeys);
        long needed = size + largest * Math.min(left.size(), workers.count());
        moveTo(Math.max(Math.max(2 * full.capacity, expected), needed));
      }
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
      int stepSize = stepFor(old);
      List<Step> steps = Step.cut(0, old.places(), stepSize);
      int stages = Math.min(workers.count(), steps.size());
      LongStage[] scratch = new LongStage[stages];
      try {
        for (int i = 0; i < stages; i++) {
          scratch[i] = new LongStage(stepSize, 1, false);
        }
        Sums sums = new Sums();
        workers.run(
            "rehash", steps, (worker, step) -> move(old, fresh, scratch[worker], step, sums));
        sums.requireNoneStuck(name, "rehash", workers.device());
      } finally {
        for (LongStage stage : scratch) {
          if (stage != null) {
            stage.close();
          }
        }
      }
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    fresh.setTaken(old.taken());
    table = fresh;
    old.close();
  }

  private void move(LongTable old, LongTable fresh, LongStage stage, Step step, Sums sums) {
    DeviceLongs counters = stage.freshCounters(0);
    workers.launch(old.retrieve(stage, counters, step), step.size(), counters);
    long count = counters.get(MapCodes.RETRIEVED);
    Step all = new Step(0, count);
    workers.launch(
        fresh.insert(stage, counters, all, MapCodes.KEEP, workers.options(), settings.pollLimit()),
        count,
        counters);
    sums.add(counters);
  }

  FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    requireOpen();
    Sums sums = new Sums();
    int flags = flags(options) + (found == null ? 0 : MapCodes.VALUES);
    long from = 0;
    while (from < keys.length()) {
      int length = LongBatch.lengthFor(workers, table, keys.length() - from);
      int regionBits = LongBatch.regionBits(workers, table, length);
      LongStage stage = borrow(length, regionBits > 0);
      try {
        LongBatch batch =
            new LongBatch(keys, null, found, options, from, length, stage, regionBits);
        findBatch(batch, stage, flags, sums);
      } finally {
        giveBack(stage);
      }
      from += length;
    }
    sums.requireNoneStuck(name, "find", workers.device());
    return new FindCounts(sums.of(MapCodes.FOUND), sums.of(MapCodes.ABSENT));
  }

  private void findBatch(LongBatch batch, LongStage stage, int flags, Sums sums) {
    List<Step> steps = batch.begin(workers, table);
    Gate.Mode mode = gate.enterRead();
    try {
      LongTable used = table;
      int options = flags + (mode == Gate.Mode.QUIESCENT_READ ? MapCodes.QUIESCENT : 0);
      workers.run(
          "find",
          steps,
          (worker, step) -> {
            DeviceLongs counters = stage.freshCounters(worker);
            enter(batch, stage, step);
            batch.warm(used, step);
            workers.launch(
                used.find(stage, counters, step, options, settings.pollLimit()),
                step.size(),
                counters);
            leave(batch, stage, step);
            sums.add(counters);
          });
    } finally {
      gate.leave(mode);
    }
  }

  /** Copies all entries out, where nobody updates; returns how many there are. */
  long retrieveAll(Longs keys, Longs values) {
    gate.enterQuiescentRead();
    try {
      LongTable used = table;
      long size = used.taken();
      if (keys.length() < size || values.length() < size) {
        throw new IllegalArgumentException(
            "%d entries do not fit in %d keys and %d values"
                .formatted(size, keys.length(), values.length()));
      }
      int stepSize = stepFor(used);
      AtomicLong next = new AtomicLong();
      LongAdder reserved = new LongAdder();
      workers.run(
          "retrieve",
          Step.cut(0, used.places(), Math.max(LongBatch.MAX_UNORDERED, stepSize)),
          (worker, part) -> {
            try (LongStage stage = new LongStage(stepSize, 1, false)) {
              for (Step step : Step.cut(part.from(), part.to(), stepSize)) {
                int count = retrieveStep(used, stage, step, reserved);
                long at = next.getAndAdd(count);
                keys.write(at, stage.keys.memory().segment(), 0, count);
                values.write(at, stage.values.memory().segment(), 0, count);
              }
            }
          });
      return size;
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  /** Places of a step over a table: no more than it has, since each step needs a stage. */
  private int stepFor(LongTable walked) {
    return (int) Math.min(walked.places(), LongBatch.stepFor(workers));
  }

  private int retrieveStep(LongTable used, LongStage stage, Step step, LongAdder reserved) {
    DeviceLongs counters = stage.freshCounters(0);
    workers.launch(used.retrieve(stage, counters, step), step.size(), counters);
    workers.readBack(stage.keys.memory(), stage.values.memory());
    reserved.add(counters.get(MapCodes.STUCK));
    return (int) counters.get(MapCodes.RETRIEVED);
  }

  /** Number of slots that are RESERVED, where nobody updates. */
  long reserved() {
    gate.enterQuiescentRead();
    int stepSize = stepFor(table);
    try (LongStage stage = new LongStage(stepSize, 1, false)) {
      LongAdder reserved = new LongAdder();
      for (Step step : Step.cut(0, table.places(), stepSize)) {
        var _ = retrieveStep(table, stage, step, reserved);
      }
      return reserved.sum();
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  void forEach(LongLongConsumer action) {
    requireOpen();
    LongTable walked = table;
    int stepSize = stepFor(walked);
    long[] keys = new long[stepSize];
    long[] values = new long[stepSize];
    try (LongStage stage = new LongStage(stepSize, 1, false)) {
      for (Step step : Step.cut(0, walked.places(), stepSize)) {
        int count = copyStep(walked, stage, step, keys, values);
        for (int i = 0; i < count; i++) {
          action.accept(keys[i], values[i]);
        }
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private int copyStep(LongTable walked, LongStage stage, Step step, long[] keys, long[] values) {
    gate.enterQuiescentRead();
    try {
      if (table != walked) {
        throw new ConcurrentModificationException(
            name + " grew or was rehashed in the middle of forEach: do not insert meanwhile");
      }
      int count = retrieveStep(walked, stage, step, new LongAdder());
      Longs.of(stage.keys.memory(), count).read(0, keys, count);
      Longs.of(stage.values.memory(), count).read(0, values, count);
      return count;
    } finally {
      gate.leave(Gate.Mode.QUIESCENT_READ);
    }
  }

  /** Has another launcher run what follows; the table goes along. */
  void runOn(Launcher launcher) {
    gate.enterExclusive();
    try {
      Memory[] memories = table.memories().toArray(Memory[]::new);
      version.incrementAndGet();
      workers.readBack(memories);
      closeSpare();
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
      workers.clearOnDevice(table.memories());
      for (Memory memory : workers.onJvm() ? table.memories() : List.<Memory>of()) {
        workers.run(
            "clear",
            Step.cut(0, memory.byteSize(), FILL_BYTES),
            (worker, step) -> memory.segment().asSlice(step.from(), step.size()).fill((byte) 0));
      }
      table.setTaken(0);
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

  private LongStage borrow(int length, boolean ordered) {
    LongStage kept = spare.getAndSet(null);
    if (kept != null && kept.holds(length, workers.count(), ordered)) {
      return kept;
    }
    if (kept != null) {
      kept.close();
    }
    return new LongStage(length, workers.count(), ordered);
  }

  private void giveBack(LongStage stage) {
    LongStage other = spare.getAndSet(stage);
    if (other != null) {
      other.close();
    }
    // The map may have been closed meanwhile.
    if (gate.isClosed()) {
      closeSpare();
    }
  }

  private void closeSpare() {
    LongStage kept = spare.getAndSet(null);
    if (kept != null) {
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
      closeSpare();
    } finally {
      gate.leave(Gate.Mode.EXCLUSIVE);
      if (settings.ownsLauncher()) {
        settings.launcher().close();
      }
    }
  }
}
