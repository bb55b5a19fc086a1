package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.store.RecordStore;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.RecordValues;
import dev.gyre.structures.map.table.Update;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single record keys by the calling thread, concurrent with each other and with all
 * other operations. Keys and values are rows of {@link RecordSchema#MOST} words.
 *
 * <p>A value of one column is first read without the lock, by address, and counts if the table is
 * still in place then. Otherwise it is read inside the lock, like a longer one. So no read is
 * concurrent with the exclusive replacement of a whole value, and none reads half of one.
 */
public final class RecordAccess implements RecordOperations {

  private static final List<Changes.@Nullable Rule> ASSIGNED =
      List.of(new Changes.Rule(Apply.ASSIGN, null, null));

  private final RecordStore store;

  public RecordAccess(RecordStore store) {
    this.store = store;
  }

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public RecordMapRef ref(TableRef ref, List<Changes.@Nullable Rule> rules) {
    return store.table().ref(ref, rules);
  }

  @Override
  public InsertCounts insert(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options) {
    Update used = hasOneColumn() && update.replaces() ? Update.of(ASSIGNED) : update;
    return store.insert(keys, values, used, found, options);
  }

  @Override
  public FindCounts find(Columns keys, @Nullable Columns found, BulkOptions options) {
    return store.find(keys, found, options);
  }

  @Override
  public FindCounts remove(Columns keys, @Nullable Columns found, BulkOptions options) {
    return store.remove(keys, found, options);
  }

  @Override
  public long removeIf(RecordPredicate predicate) {
    return store.removeIf(predicate);
  }

  @Override
  public long @Nullable [] remove(Record record, long @Nullable [] expected) {
    store.requireRemovable();
    long[] key = store.schema().keyWords(record);
    if (!store.onJvm()) {
      if (expected != null) {
        store.requireOnJvm();
      }
      long[] row = new long[RecordSchema.MOST];
      long removed = store.remove(batchOfKey(key), batchOfValue(row), BulkOptions.NONE).found();
      return removed == 1 ? row : null;
    }
    for (int tries = 0; ; tries++) {
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        RecordTable used = store.table();
        long slot = find(used, key);
        if (slot < 0) {
          return null;
        }
        // Held, so that the value does not change between the comparison and the removal.
        if (used.take(slot, expected == null ? MapCodes.REMOVED : MapCodes.HELD)) {
          long[] row = used.row(slot);
          boolean same = expected == null || Arrays.equals(row, expected);
          if (expected != null) {
            used.release(slot, same ? MapCodes.REMOVED : MapCodes.FILLED);
          }
          if (same) {
            used.removedOne(entry);
          }
          return same ? row : null;
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      SingleUpdates.pause(tries);
    }
  }

  @Override
  public long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate) {
    return store.retrieve(keys, values, predicate);
  }

  @Override
  public void visit(RecordVisitor visitor) {
    store.visit(visitor);
  }

  @Override
  public void forEach(BiConsumer<long[], long[]> action) {
    store.requireOpen();
    if (!store.onJvm()) {
      store.forEach(entry -> accept(entry, action));
      return;
    }
    // Each entry outside the lock: the action may call any method of the map.
    RecordWalk walk = new RecordWalk(store);
    while (walk.next()) {
      accept(walk.entry(), action);
    }
  }

  @Override
  public <E> Spliterator<E> entries(Function<long[], ? extends E> part, int distinct) {
    store.requireOnJvm();
    return new WalkSpliterator<>(new RecordWalk(store), walk -> part.apply(walk.entry()), distinct);
  }

  private static void accept(long[] entry, BiConsumer<long[], long[]> action) {
    action.accept(Arrays.copyOf(entry, RecordSchema.MOST), RecordOperations.valueOf(entry));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  public long @Nullable [] get(Record record) {
    long[] key = store.schema().keyWords(record);
    if (!store.onJvm()) {
      return findOnDevice(key);
    }
    long version = store.version();
    RecordTable table = store.table();
    if (hasOneColumn() && table.isPinned() && (version & 1) == 0) {
      try {
        long slot = find(table, key);
        long value = slot < 0 ? 0 : table.word(slot, 0);
        // acquire: orders the reads of slots before the second read of the version
        VarHandle.acquireFence();
        if (store.version() == version && store.table() == table && !store.lock().isClosed()) {
          return slot < 0 ? null : new long[] {value, 0, 0, 0};
        }
      } finally {
        // Its addresses stay mapped until here.
        Reference.reachabilityFence(table);
      }
    }
    return getInside(key.clone());
  }

  private long @Nullable [] getInside(long[] key) {
    return SingleUpdates.within(store, table -> Optional.ofNullable(read(table, key))).orElse(null);
  }

  private static long @Nullable [] read(RecordTable table, long[] key) {
    long slot = find(table, key);
    return slot < 0 ? null : table.row(slot);
  }

  /** Returns whether a value has no halves. */
  private boolean hasOneColumn() {
    return store.schema().valueTypes().size() == 1;
  }

  private static KeyParts parts(long[] key) {
    return new KeyParts(key[0], key[1], key[2], key[3]);
  }

  private static long find(RecordTable table, long[] key) {
    return table.entries().find(key[0], key[1], key[2], key[3]);
  }

  private Columns batchOfKey(long[] key) {
    return Columns.ofRow(store.schema().keyTypes(), key, true);
  }

  private Columns batchOfValue(long[] row) {
    return Columns.ofRow(store.schema().valueTypes(), row, false);
  }

  private long @Nullable [] findOnDevice(long[] key) {
    long[] row = new long[RecordSchema.MOST];
    long hits =
        SingleUpdates.found(() -> store.find(batchOfKey(key), batchOfValue(row), BulkOptions.NONE));
    return hits == 1 ? row : null;
  }

  private boolean insertOnDevice(long[] key, Record value, Update update, @Nullable Columns found) {
    Columns values = batchOfValue(store.schema().valueWords(value));
    return SingleUpdates.isInserted(
        store, store.insert(batchOfKey(key), values, update, found, BulkOptions.NONE));
  }

  @Override
  public long @Nullable [] putIfAbsent(Record key, Record value) {
    if (store.onJvm()) {
      return changeOnJvm(key, value, List.of());
    }
    long[] words = store.schema().keyWords(key);
    long[] found = new long[RecordSchema.MOST];
    boolean inserted = insertOnDevice(words, value, Update.FETCH, batchOfValue(found));
    return inserted ? null : found;
  }

  @Override
  public long[] merge(Record key, Record value, List<Changes.@Nullable Rule> rules) {
    if (store.onJvm()) {
      return Objects.requireNonNull(changeOnJvm(key, value, rules));
    }
    long[] words = store.schema().keyWords(key);
    boolean _ = insertOnDevice(words, value, Update.of(rules), null);
    // Read after the update: it may include updates of other threads.
    long[] found = findOnDevice(words);
    if (found == null) {
      throw SingleUpdates.cleared(store);
    }
    return found;
  }

  @Override
  public long @Nullable [] put(Record record, Record value) {
    store.requireOnJvm();
    if (hasOneColumn()) {
      // Replaced in one step.
      return changeOnJvm(record, value, null);
    }
    long[] key = store.schema().keyWords(record);
    long[] row = store.schema().valueWords(value);
    try (Entry _ = store.lock().enterExclusive()) {
      while (true) {
        RecordTable table = store.table();
        long slot = find(table, key);
        if (slot >= 0) {
          long[] before = table.row(slot);
          table.setRow(slot, row);
          return before;
        }
        if (table.takeOne(null)) {
          insert(table, null, slot, key, row);
          return null;
        }
        store.growForOneAlone(table, parts(key));
      }
    }
  }

  @Override
  public boolean replace(Record record, long[] oldRow, Record value) {
    store.requireOnJvm();
    long[] key = store.schema().keyWords(record);
    long[] row = store.schema().valueWords(value);
    boolean one = hasOneColumn();
    Entry entry = one ? store.lock().enterSingle() : store.lock().enterExclusive();
    try {
      store.requireOpen();
      RecordTable table = store.table();
      long slot = find(table, key);
      if (slot < 0) {
        return false;
      }
      if (!one) {
        boolean same = Arrays.equals(table.row(slot), oldRow);
        if (same) {
          table.setRow(slot, row);
        }
        return same;
      }
      if (table.isRemovable() && !table.take(slot, MapCodes.HELD)) {
        return false;
      }
      try {
        return table.words.compareAndSetSeqCst(table.valueAt(slot), oldRow[0], row[0]);
      } finally {
        if (table.isRemovable()) {
          table.release(slot, MapCodes.FILLED);
        }
      }
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /**
   * Inserts a key or changes its value. Returns the new value if there are rules, otherwise the
   * value that was present, or null if there was none.
   *
   * @param rules empty to keep a value; null to replace its only column
   */
  private long @Nullable [] changeOnJvm(
      Record record, Record value, @Nullable List<Changes.@Nullable Rule> rules) {
    long[] key = store.schema().keyWords(record);
    long[] row = store.schema().valueWords(value);
    for (int tries = 0; ; tries++) {
      RecordTable used;
      boolean lacking;
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        used = store.table();
        long slot = find(used, key);
        lacking = slot < 0 && !used.takeOne(entry);
        if (slot < 0 && !lacking) {
          if (insert(used, entry, slot, key, row)) {
            return rules == null || rules.isEmpty() ? null : row.clone();
          }
          slot = find(used, key);
        }
        long[] changed = slot >= 0 ? tryChange(used, slot, row.clone(), rules) : null;
        if (changed != null) {
          return changed;
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      if (lacking) {
        store.growForOne(used, parts(key));
      } else {
        SingleUpdates.pause(tries);
      }
    }
  }

  /**
   * Changes a value. Returns null, without an effect, if keys can be removed, and another thread
   * has removed the key or is changing it.
   */
  private long @Nullable [] tryChange(
      RecordTable table, long slot, long[] row, @Nullable List<Changes.@Nullable Rule> rules) {
    boolean holds = table.isRemovable() && (rules == null || !rules.isEmpty());
    if (holds && !table.take(slot, MapCodes.HELD)) {
      return null;
    }
    try {
      return changed(table, slot, row, rules);
    } finally {
      if (holds) {
        table.release(slot, MapCodes.FILLED);
      }
    }
  }

  private long[] changed(
      RecordTable table, long slot, long[] row, @Nullable List<Changes.@Nullable Rule> rules) {
    if (rules == null) {
      long[] before = new long[RecordSchema.MOST];
      before[0] = table.words.exchangeSeqCst(table.valueAt(slot), row[0]);
      return before;
    }
    return rules.isEmpty()
        ? table.row(slot)
        : RecordValues.change(table, store.schema(), slot, rules, row);
  }

  /** Inserts a key with a reservation, which is returned if the key is present by now. */
  private boolean insert(
      RecordTable table, @Nullable Entry entry, long absent, long[] key, long[] row) {
    RecordEntries entries = table.entries();
    long slot = SingleKeys.STUCK;
    try {
      slot = entries.insert(~absent, key, row, store.pollLimit());
      if (slot == SingleKeys.STUCK) {
        slot = insertAgain(entries, absent, key.clone(), row.clone());
      }
    } finally {
      table.insertedSome(entry, slot == SingleKeys.NONE ? 1 : 0, 1);
    }
    return slot == SingleKeys.NONE;
  }

  private long insertAgain(RecordEntries entries, long absent, long[] key, long[] row) {
    return SingleUpdates.insertedAgain(
        store, () -> entries.insert(~absent, key, row, store.pollLimit()));
  }
}
