package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.LongBlock;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the caller's keys on its way through a stage.
 *
 * <p>A table that is larger than the cache is slow to reach at random. Where a batch is large
 * enough for it to pay, its keys are put {@linkplain LongOrder in the order of the table}.
 */
@IntTwin
public final class LongBatch {

  /** Keys of a step on the JVM. */
  static final int STEP = 1 << 12;

  /** Fewest keys that are copied from where the caller has them: less is sent by the launch. */
  private static final int DIRECT = 1 << 15;

  /** Slots of a step on a device. */
  private static final int DEVICE_STEP = 1 << 22;

  /** Most keys of a batch. */
  static final int MAX_LENGTH = 1 << 24;

  /** Most keys of a batch that is not put in order. */
  static final int MAX_UNORDERED = 1 << 18;

  private static final long KIB = 1 << 10;

  // What a key takes, about, by how large the table is; the ways of few keys are known by heart.
  private static final long NEAR_BYTES = 1 << 16;
  private static final long CACHED_BYTES = 1 << 24;
  private static final long NEAR_NANOS = 5;
  private static final long CACHED_NANOS = 12;
  private static final long FAR_NANOS = 30;

  /** A region is warmed for at least so many keys per KiB. */
  private static final int WARM_KEYS_PER_KIB = 8;

  private final Longs keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final BulkOptions options;
  private final long from;
  private final long length;
  private final LongScratch stage;
  private final int regionBits;

  /** Whether the keys are where the kernels run, so that nothing is brought to the stage. */
  private final boolean resident;

  private @Nullable LongOrder order;

  private final Workers workers;

  // Asked once: a memory may become one that is copied in place in the middle.
  private final @Nullable Memory directKeys;
  private final @Nullable Memory directValues;
  private final @Nullable Memory directFound;

  LongBatch(
      Workers workers,
      Longs keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      long from,
      int length,
      LongScratch stage,
      int regionBits) {
    this.workers = workers;
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.from = from;
    this.length = length;
    this.stage = stage;
    this.regionBits = regionBits;
    this.resident = false;
    this.directKeys = direct(workers, length, keys);
    this.directValues = direct(workers, length, values);
    // Who leaves keys out picks values.
    this.directFound = options.takeAll() ? direct(workers, length, found) : null;
  }

  /** Of all keys, where the stage is the caller's own memory on the device. */
  LongBatch(Workers workers, Longs keys, BulkOptions options, LongScratch stage) {
    this.workers = workers;
    this.keys = keys;
    this.values = null;
    this.found = null;
    this.options = options;
    this.from = 0;
    this.length = keys.length();
    this.stage = stage;
    this.regionBits = 0;
    this.resident = true;
    this.directKeys = null;
    this.directValues = null;
    this.directFound = null;
  }

  /**
   * Those who do an operation on so many keys; their number says which way it goes.
   *
   * @param updates whether the keys are to be inserted
   */
  static Workers workersFor(LongStore store, long keys, boolean updates) {
    return store.workers().forWork(keys * nanos(store.table().byteSize()), updates);
  }

  /** What a key of a table of so many bytes takes, about. */
  static long nanos(long bytes) {
    return bytes <= NEAR_BYTES ? NEAR_NANOS : bytes <= CACHED_BYTES ? CACHED_NANOS : FAR_NANOS;
  }

  /** Keys or slots of a step: a device does one at a time. */
  private static int stepFor(Workers workers) {
    return workers.onJvm() ? STEP : DEVICE_STEP;
  }

  /** Places of a step over a table: no more than it has, since each step needs a stage. */
  static int stepOver(LongTable table, Workers workers) {
    return (int) Math.min(table.places(), stepFor(workers));
  }

  /**
   * Does keys in batches: on the JVM one after the other, whose workers share each; on a device in
   * pieces that overlap.
   *
   * @param updates whether they are to be inserted
   * @param anyOrder whether what is done of equal keys may depend on which batch comes first
   */
  static void run(
      LongStore store, long keys, boolean updates, boolean anyOrder, Pieces.Piece batch) {
    if (!store.workers().onJvm() && anyOrder) {
      Pieces.run(keys, mostFor(store, Pieces.lengthFor(keys)), batch);
      return;
    }
    long from = 0;
    while (from < keys) {
      int length = lengthFor(store, keys - from, updates);
      batch.run(from, length, keys - from - length);
      from += length;
    }
  }

  private static int mostFor(LongStore store, long length) {
    return (int) Math.min(length, Math.clamp(store.table().slots / 2, MAX_UNORDERED, MAX_LENGTH));
  }

  /** Number of keys, of those left, that the next batch takes. */
  private static int lengthFor(LongStore store, long left, boolean updates) {
    Workers workers = workersFor(store, left, updates);
    LongTable table = store.table();
    long length = mostFor(store, left);
    if (!workers.onJvm()) {
      return (int) Math.min(length, DEVICE_STEP);
    }
    boolean ordered = regionBits(workers, table, length, updates) > 0;
    return (int) (ordered ? length : Math.min(length, MAX_UNORDERED));
  }

  /**
   * Bits of the hash by which a batch is put in order; 0 if it is not.
   *
   * @param updates whether the batch is to be inserted
   */
  static int regionBits(Workers workers, LongTable table, long length, boolean updates) {
    return workers.onJvm() ? LongOrder.regionBits(table, length, workers.count(), updates) : 0;
  }

  long length() {
    return length;
  }

  /** All keys in one step. */
  Step whole() {
    return new Step(0, length);
  }

  /** How many keys of a step may need room. */
  long roomFor(Step step) {
    return step.size();
  }

  /** Whether keys are on the device, all of them in one batch. */
  boolean isResident() {
    return resident;
  }

  /** Whether kernels read the caller's own memory, of which there is no copy. */
  boolean usesInPlace() {
    return resident && keys.memory() == stage.keys.memory();
  }

  boolean isOrdered() {
    return regionBits > 0;
  }

  int regionBits() {
    return regionBits;
  }

  LongScratch stage() {
    return stage;
  }

  /** Those who do it. */
  Workers workers() {
    return workers;
  }

  /**
   * Brings all keys to the stage, where they are to be put in order; returns the steps that the
   * batch consists of: one for each region, in rising order, where keys are in order.
   */
  List<Step> begin(Workers workers, LongTable table) {
    if (!isOrdered()) {
      return Step.cut(0, length, workers.onJvm() ? STEP : length);
    }
    if (options.takeAll() && options.outcomes() != null) {
      // What another batch left there is not to be told of keys that are not tried.
      MemorySegment _ = stage.outcomes.segment().asSlice(0, length).fill(MapCodes.SKIPPED);
    }
    LongOrder made = new LongOrder(this, stage, workers, table, regionBits);
    order = made;
    return made.order();
  }

  /** The region of the keys of a step, where they are in order. */
  int region(LongTable table, Step step) {
    return table.part(stage.keys.get(step.from()), regionBits);
  }

  /** Brings the region of a step into the cache, if there are keys enough for it to pay. */
  void warm(LongTable table, List<Memory> memories, Step step) {
    if (isOrdered() && step.size() * KIB >= WARM_KEYS_PER_KIB * (table.byteSize() >> regionBits)) {
      stage.warmed = LongTable.warm(memories, region(table, step), 1 << regionBits);
    }
  }

  /** The keys of the batch. */
  Longs keys() {
    return keys.part(from, length);
  }

  /** Whether the keys are their own values, so that one copy does for both. */
  @SuppressWarnings("ReferenceEquality") // those elements, not some like them
  boolean isSet() {
    return values == keys;
  }

  /** The values of the batch, if it has any. */
  @Nullable Longs values() {
    return values == null ? null : values.part(from, length);
  }

  /** Puts what the mask says of keys to their places in the stage, unless all are taken. */
  void putMask(int at, int count, int[] places) {
    for (int i = 0; !options.takeAll() && i < count; i++) {
      stage.outcomes.set(places[i], options.start(from + at + i));
    }
  }

  /** Whether the caller asked for more than counts. */
  boolean goesBack() {
    return found != null || options.outcomes() != null;
  }

  /** Brings the keys of a step to the stage, unless they are there. */
  void enter(Step step) {
    if (resident || isOrdered()) {
      return;
    }
    Span span = Span.staging();
    MemorySegment staged = stage.keys.memory().segment();
    if (directKeys == null) {
      keys.read(from + step.from(), staged, step.from(), step.size());
    }
    if (isSet() && directKeys == null) {
      long bytes = step.size() * Long.BYTES;
      long at = step.from() * Long.BYTES;
      MemorySegment.copy(staged, at, stage.values.memory().segment(), at, bytes);
    } else if (values != null && directValues == null) {
      values.read(from + step.from(), stage.values.memory().segment(), step.from(), step.size());
    }
    for (long i = step.from(); !options.takeAll() && i < step.to(); i++) {
      stage.outcomes.set(i, options.start(from + i));
    }
    span.moved("keys", step.size() * (values == null ? 1 : 2) * Long.BYTES);
  }

  /**
   * The memory in which the caller's elements are, if they are to be copied from there; then a step
   * is the whole batch.
   */
  private static @Nullable Memory direct(Workers workers, int length, @Nullable Longs elements) {
    Memory memory = elements == null ? null : elements.memory();
    boolean large = !workers.onJvm() && length >= DIRECT;
    return large && memory != null && workers.copiesInPlace(memory) ? memory : null;
  }

  private void send(@Nullable Memory direct, Memory to, Step step) {
    if (direct == null) {
      workers.send(to, step.to() * Long.BYTES);
    } else {
      workers.send(to, direct, from * Long.BYTES, step.to() * Long.BYTES);
    }
  }

  /** Has what {@link #enter} wrote go to where the kernels run. */
  void send(Step step) {
    if (resident) {
      return;
    }
    send(directKeys, stage.keys.memory(), step);
    if (values != null) {
      send(directValues, stage.values.memory(), step);
    }
    if (!options.takeAll()) {
      workers.send(stage.outcomeMemory, step.to());
    }
  }

  /** Has what {@link #leave} reads come from where the kernels run. */
  void fetch(Step step) {
    if (resident) {
      return;
    }
    if (directFound != null) {
      workers.readBack(
          stage.values.memory(), directFound, from * Long.BYTES, step.to() * Long.BYTES);
    } else if (found != null) {
      workers.readBack(stage.values.memory(), step.to() * Long.BYTES);
    }
    if (options.outcomes() != null || (found != null && !options.takeAll())) {
      workers.readBack(stage.outcomeMemory, step.to());
    }
  }

  /** Takes what a step gave back to the caller, if the caller asked for it; not where in order. */
  void leave(Step step) {
    if (resident || isOrdered() || !goesBack()) {
      return;
    }
    Span span = Span.staging();
    MemorySegment outcomes = options.outcomes();
    if (outcomes != null) {
      MemorySegment.copy(
          stage.outcomes.segment(), step.from(), outcomes, from + step.from(), step.size());
    }
    if (found != null && options.takeAll() && directFound == null) {
      found.write(from + step.from(), stage.values.memory().segment(), step.from(), step.size());
    } else if (found != null && !options.takeAll()) {
      for (long i = step.from(); i < step.to(); i++) {
        if (stage.outcomes.get(i) != MapCodes.SKIPPED) {
          found.set(from + i, stage.values.get(i));
        }
      }
    }
    span.moved(
        "results", step.size() * ((outcomes == null ? 0 : 1) + (found == null ? 0 : Long.BYTES)));
  }

  /** Takes what all steps gave back to the caller, where keys are in order. */
  void end() {
    LongOrder used = order;
    if (used != null && goesBack()) {
      used.forSlices("return in order", this::collect);
    }
  }

  private void collect(int at, int count, int[] places) {
    MemorySegment outcomes = options.outcomes();
    for (int i = 0; outcomes != null && i < count; i++) {
      byte code = stage.outcomes.get(places[i]);
      outcomes.set(
          ValueLayout.JAVA_BYTE, from + at + i, code == MapCodes.PENDING ? MapCodes.SKIPPED : code);
    }
    if (found != null && options.takeAll()) {
      LongBlock block = new LongBlock(found.part(from, length));
      block.at(at);
      collect(places, block.array(), block.first(), count);
      block.write(at, count);
    } else if (found != null) {
      for (int i = 0; i < count; i++) {
        if (stage.outcomes.get(places[i]) != MapCodes.SKIPPED) {
          found.set(from + at + i, stage.values.get(places[i]));
        }
      }
    }
  }

  private void collect(int[] places, long[] to, int first, int count) {
    for (int i = 0; i < count; i++) {
      to[first + i] = stage.values.get(places[i]);
    }
  }
}
