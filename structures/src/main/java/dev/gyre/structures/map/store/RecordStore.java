package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.StuckException;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.SavedRows;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Store of keys and values that are records, in rows. */
public final class RecordStore extends RowStore<RecordTable> {

  /** Number of keys of a bulk operation that are in scratch memory at a time. */
  static final int PIECE = 1 << 22;

  /** Number of slots of a device whose entries are on the heap at a time. */
  private static final int WALKED = 1 << 16;

  /** Number of keys or slots of a task of a JVM worker. */
  private static final int STEP = 1 << 13;

  private final RecordSchema<?, ?> schema;

  public RecordStore(String name, RecordSchema<?, ?> schema, MapSettings settings) {
    super(
        STEP,
        name,
        SavedMap.Kind.RECORDS,
        settings,
        fresh -> allocate(schema, fresh, fresh.capacity(), fresh.seed()),
        saved -> SavedRows.ofRecords(saved, schema, settings, new Workers(settings.launcher())),
        (length, workers, _) ->
            new RowScratch(length, workers, schema.keyTypes().size(), schema.valueTypes().size()));
    this.schema = schema;
  }

  public RecordSchema<?, ?> schema() {
    return schema;
  }

  @Override
  RecordTable resized(long capacity, long textWords) {
    return allocate(schema, settings, capacity, table().seed);
  }

  private static RecordTable allocate(
      RecordSchema<?, ?> schema, MapSettings settings, long capacity, long seed) {
    return RecordTable.allocate(
        schema, capacity, settings.options().loadFactor(), seed, settings.options().removable());
  }

  @Override
  RecordTable emptied(RecordTable other, long seed) {
    return other.emptied(seed);
  }

  @Override
  void move(RecordTable old, RecordTable fresh) {
    rehash(old, fresh, (counters, task) -> old.move(fresh, counters, task, onJvm()));
  }

  /**
   * Inserts keys; an {@link Update} changes present ones. If the memory to grow is not available,
   * keys that were not tried are SKIPPED.
   */
  public InsertCounts insert(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options) {
    BulkOptions _ = options.skipAll(keys.length());
    return inserts(
        keys.length(),
        sums ->
            forBatches(
                keys.length(),
                PIECE,
                (piece, scratch) ->
                    insert(
                        new RecordBatch(this, piece, keys, values, update, found, options, scratch),
                        update,
                        sums)));
  }

  /**
   * Inserts a batch. Whole values are replaced when all keys are in the table, by two exclusive
   * launches.
   */
  private void insert(RecordBatch batch, Update update, OutcomeCounts sums) {
    Insertion<RecordTable> insertion = new Insertion<>(this, batch, sums);
    if (!update.replaces()) {
      insertion.run();
      return;
    }
    long before = sums.of(MapCodes.PRESENT);
    boolean replaced = false;
    try {
      insertion.run();
      lock().exclusively(() -> batch.replace(table()));
      replaced = true;
    } finally {
      if (!replaced) {
        // Keys that were present have their old values, or it is unknown which.
        sums.add(MapCodes.PRESENT, before - sums.of(MapCodes.PRESENT));
      }
    }
  }

  public FindCounts find(Columns keys, @Nullable Columns found, BulkOptions options) {
    return finds(sums -> forBatches(keys, found, options, batch -> batch.lookUp(this, sums)));
  }

  /** Removes keys; {@code found} receives the values that they had. */
  public FindCounts remove(Columns keys, @Nullable Columns found, BulkOptions options) {
    return removes(sums -> forBatches(keys, found, options, batch -> batch.remove(this, sums)));
  }

  private void forBatches(
      Columns keys, @Nullable Columns found, BulkOptions options, Consumer<RecordBatch> work) {
    forBatches(
        keys.length(),
        PIECE,
        (piece, scratch) ->
            work.accept(
                new RecordBatch(this, piece, keys, null, Update.KEEP, found, options, scratch)));
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  public long removeIf(RecordPredicate predicate) {
    return removeIf(used -> used.predicateOfSlots(predicate));
  }

  /** Copies entries to columns, in one consistent state; returns their number. */
  public long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate) {
    requireOpen();
    recount();
    long[] count = {0};
    try (Entry _ = begin();
        Entry _ = lock().enterQuiescentRead()) {
      requireCapacity(predicate == null ? table().size() : 0, keys);
      for (TaskRange task : TaskRange.cut(0, table().slots, PIECE)) {
        retrieve(
            task,
            predicate,
            (scratch, entries) -> {
              requireCapacity(count[0] + entries, keys);
              scratch.takeOut(count[0], entries, keys, values);
              count[0] += entries;
            });
      }
    }
    return count[0];
  }

  private static void requireCapacity(long entries, Columns keys) {
    if (entries > keys.length()) {
      throw new IllegalArgumentException(
          "%d entries do not fit in %d elements".formatted(entries, keys.length()));
    }
  }

  /** Calls a visitor for all entries. */
  public void visit(RecordVisitor visitor) {
    visit(used -> used.visitorOfSlots(visitor));
  }

  /**
   * Calls an action for all entries, some slots at a time, outside the operation lock.
   *
   * @throws ConcurrentModificationException if the table is replaced meanwhile
   */
  public void forEach(Consumer<long[]> action) {
    requireOpen();
    RecordTable walked = table();
    TaskRange.cut(0, walked.slots, WALKED).forEach(slots -> entries(walked, slots).forEach(action));
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private List<long[]> entries(RecordTable walked, TaskRange slots) {
    List<long[]> found = new ArrayList<>();
    try (Entry _ = lock().enterQuiescentRead()) {
      if (table() != walked) {
        throw new ConcurrentModificationException(
            "%s grew or was rehashed in the middle of forEach: do not insert meanwhile"
                .formatted(name()));
      }
      retrieve(
          slots,
          null,
          (scratch, entries) -> {
            for (long i = 0; i < entries; i++) {
              found.add(scratch.entry(i));
            }
          });
    }
    return found;
  }

  private void retrieve(
      TaskRange slots, @Nullable RecordPredicate predicate, ObjIntConsumer<RowScratch> taker) {
    int length = (int) Math.min(slots.size(), Math.max(1, table().size()));
    RowScratch scratch = scratchPool.borrow(length, 1);
    try {
      DeviceLongs counters = scratch.freshCounters(0);
      workers()
          .launchOwn(table().retrieve(scratch, counters, slots, predicate), slots.size(), counters);
      long stuck = counters.get(MapCodes.STUCK);
      if (stuck > 0) {
        throw new StuckException(stuck, name(), "retrieve", device());
      }
      int entries = (int) counters.get(MapCodes.RETRIEVED);
      scratch.fetchEntries(workers(), entries);
      taker.accept(scratch, entries);
    } finally {
      scratchPool.giveBack(scratch);
    }
  }

  /**
   * Makes capacity for a key that did not fit in a table, unless there is some by now, or the key
   * is present.
   */
  public void growForOne(RecordTable full, KeyParts key) {
    exclusivelyIf(full, () -> growForOneAlone(full, key));
  }

  /** Makes capacity for a key, with exclusive access. */
  public void growForOneAlone(RecordTable full, KeyParts key) {
    growForOne(
        full,
        () -> full.entries().find(key.first(), key.second(), key.third(), key.fourth()) < 0,
        0);
  }

  /** Returns true: kernels run in specialised code, because hash and equality are the user's. */
  @Override
  boolean launchesOwn() {
    return true;
  }
}
