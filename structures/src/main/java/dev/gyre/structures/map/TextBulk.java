package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.TextMapRef;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.access.TextCaller;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bulk operations of a map with text keys. */
abstract class TextBulk extends HashTable<TextStore, TextLongMap, TextMapRef> {

  final TextAccess access;
  private final TextCaller caller;

  TextBulk(TextStore store) {
    super(store, TextMapRef::new, TextLongMap::new);
    this.access = new TextAccess(store);
    this.caller = new TextCaller(store);
  }

  /** Calls {@link #insert(TextKeys, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(List<String> keys, long[] values) {
    return insert(keys, values, Change.Policy.KEEP, null);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>If the memory to grow runs out during an insert, each key is either in the map or was not
   * tried. The outcome of a key that was not tried is SKIPPED. This holds for all inserts. A map of
   * fixed capacity also has a fixed capacity for text: a key whose text does not fit is FULL.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(TextKeys keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.KEEP, options);
  }

  /** Calls {@link #insertAndFind(TextKeys, Longs, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(List<String> keys, long[] values, long[] found) {
    return insert(keys, values, Change.Policy.FETCH, Objects.requireNonNull(found, "found"));
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each key then has in the map.
   * For a key that is FULL, it writes the value that was to be inserted.
   *
   * @param found one element per key; elements of masked keys are not written. It may be exactly
   *     {@code values}.
   * @throws IllegalArgumentException if the numbers of keys, values, elements and options differ,
   *     or if {@code found} overlaps other memory of the operation
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(TextKeys keys, Longs values, Longs found, BulkOptions options) {
    Objects.requireNonNull(values, "values");
    check(keys, values, Objects.requireNonNull(found, "found"), options);
    return checked(store.insert(keys, values, Change.Policy.FETCH, found, options), options);
  }

  /** Calls {@link #insertOrAssign(TextKeys, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(List<String> keys, long[] values) {
    return insert(keys, values, Change.Policy.ASSIGN, null);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(TextKeys keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.ASSIGN, options);
  }

  /** Calls {@link #insertOrApply(TextKeys, Longs, Apply, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(List<String> keys, long[] values, Apply apply) {
    return insert(keys, values, Objects.requireNonNull(apply, "apply").change(), null);
  }

  /**
   * Inserts keys with their values; for a key that is present, {@code apply} combines the present
   * value and the new one. Sums wrap around; see {@link Apply#ADD}.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Apply apply, BulkOptions options) {
    return update(keys, values, Objects.requireNonNull(apply, "apply").change(), options);
  }

  /** Calls {@link #insertOrApply(TextKeys, Longs, Fold, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(List<String> keys, long[] values, Fold fold) {
    return insert(keys, values, Change.of(Objects.requireNonNull(fold, "fold")), null);
  }

  /**
   * Inserts keys with their values. For a key that is present, the user's function combines the
   * present value and the new one.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Fold fold, BulkOptions options) {
    return update(keys, values, Change.of(Objects.requireNonNull(fold, "fold")), options);
  }

  private InsertCounts update(TextKeys keys, Longs values, Change change, BulkOptions options) {
    check(keys, Objects.requireNonNull(values, "values"), null, options);
    return checked(store.insert(keys, values, change, null, options), options);
  }

  /** Inserts strings. On the JVM, a few are inserted one by one, which needs no scratch memory. */
  final InsertCounts insert(
      List<String> keys, long[] values, Change change, long @Nullable [] found) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    Objects.requireNonNull(values, "values");
    if (store.insertsSingly(those.length)
        && values.length == those.length
        && (found == null || found.length == those.length)) {
      return caller.insert(those, values, change, found);
    }
    OutcomeCounts sums = new OutcomeCounts();
    return sums.inserts(
        those.length,
        () -> sums.addInserts(() -> insertBatch(those, Longs.of(values), change, found)));
  }

  private InsertCounts insertBatch(
      String[] keys, Longs values, Change change, long @Nullable [] found) {
    return store.withKeys(
        Arrays.asList(keys),
        all -> {
          Longs results = found == null ? null : Longs.of(found);
          check(all, values, results, BulkOptions.NONE);
          return store.insert(all, values, change, results, BulkOptions.NONE);
        });
  }

  /** Calls {@link #contains(TextKeys, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(List<String> keys) {
    return store.withKeys(keys, all -> contains(all, BulkOptions.NONE));
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(TextKeys keys, BulkOptions options) {
    check(keys, null, null, options);
    return store.find(keys, null, options);
  }

  /** Calls {@link #find(TextKeys, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(List<String> keys, long[] found) {
    return store.withKeys(keys, all -> find(all, named(found, "found"), BulkOptions.NONE));
  }

  /**
   * Looks up keys and writes the value of each, or 0 if the key is absent.
   *
   * @param found one element per key; elements of masked keys are not written
   * @throws IllegalArgumentException if the numbers of keys, elements and options differ, or if
   *     {@code found} overlaps the options
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values may be written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(TextKeys keys, Longs found, BulkOptions options) {
    check(keys, null, Objects.requireNonNull(found, "found"), options);
    return store.find(keys, found, options);
  }

  /** Calls {@link #removeAll(TextKeys, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(List<String> keys) {
    return store.withKeys(keys, all -> removeAll(all, BulkOptions.NONE));
  }

  /** Removes keys as {@link LongLongMap#removeAll(Longs, BulkOptions)} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(TextKeys keys, BulkOptions options) {
    check(keys, null, null, options);
    options.requireNoPredicate();
    return store.remove(keys, null, options);
  }

  /** Removes keys as {@link LongLongMap#removeAndFind} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAndFind(TextKeys keys, Longs found, BulkOptions options) {
    check(keys, null, Objects.requireNonNull(found, "found"), options);
    options.requireNoPredicate();
    return store.remove(keys, found, options);
  }

  /** Removes entries as {@link LongLongMap#removeIf} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long removeIf(TextPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.removeIf(predicate);
  }

  /**
   * Appends all keys to a batch, in no particular order, and writes their values; returns their
   * number. Waits for running inserts.
   *
   * @throws IllegalArgumentException if there are fewer than {@code size()} elements for values
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(TextKeys keys, Longs values) {
    Objects.requireNonNull(keys, "keys").requireOpen();
    Objects.requireNonNull(values, "values");
    return store.quiescent(
        table -> {
          requireCapacity(table.size(), values);
          return copy(table, keys, values, null);
        });
  }

  /**
   * Appends the keys for whose entries a predicate returns true to a batch, in no particular order,
   * and writes their values; returns their number.
   *
   * <p>The calling thread runs the predicate. From a device all entries are copied first. Waits for
   * running inserts.
   *
   * @throws IllegalArgumentException if there are too few elements for values; some may be written
   * @throws dev.gyre.kernels.KernelException if the predicate is not a record of handles and
   *     numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(TextKeys keys, Longs values, TextPredicate predicate) {
    Objects.requireNonNull(keys, "keys").requireOpen();
    Objects.requireNonNull(values, "values");
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.quiescent(table -> copy(table, keys, values, predicate));
  }

  /**
   * Calls a visitor for all entries, as {@link LongLongMap#visit} does.
   *
   * @throws dev.gyre.kernels.KernelException if the visitor is not a record of handles and numbers
   * @throws dev.gyre.kernels.LaunchException if it fails
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries may have been visited
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void visit(TextVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    store.visit(visitor);
  }

  /** Appends all keys to a batch, in one consistent state of the map; returns their values. */
  long[] retrieveAll(TextKeys keys) {
    return store.quiescent(
        table -> {
          long[] values = new long[Math.toIntExact(table.size())];
          long _ = copy(table, keys, Longs.of(values), null);
          return values;
        });
  }

  private static long copy(
      TextTable table, TextKeys keys, Longs values, @Nullable TextPredicate predicate) {
    long count = 0;
    for (long slot = 0; slot < table.slots; slot++) {
      if (table.states.get(TextLayout.stateAt(slot)) == MapCodes.FILLED) {
        long value = table.table.get(TextLayout.valueAt(slot));
        if (predicate == null || predicate.test(table.text(slot), value)) {
          byte[] key = TextKey.bytes(table, slot);
          requireCapacity(count + 1, values);
          keys.add(key, 0, key.length);
          values.set(count++, value);
        }
      }
    }
    return count;
  }

  private static void requireCapacity(long entries, Longs values) {
    if (values.length() < entries || values.isReadOnly()) {
      throw new IllegalArgumentException(
          "%d entries do not fit in %d values".formatted(entries, values.length()));
    }
  }

  /** Returns the hash that was set on the builder, or null. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public final @Nullable TextHash textHash() {
    return store.textHash();
  }

  /** Checks the operands of a bulk operation, of which values and their destination may lack. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "only checks its arguments")
  public static void check(
      TextKeys keys, @Nullable Longs values, @Nullable Longs found, BulkOptions options) {
    Objects.requireNonNull(options, "options").check(Objects.requireNonNull(keys, "keys").count());
    options.requireOn(false);
    if (values != null) {
      BulkOptions.requireAsMany(keys.count(), values.length());
      requireOnHost(values);
      values.requireApartFrom(options);
    }
    if (found != null) {
      BulkOptions.requireOutput(keys.count(), found.length(), found.isReadOnly());
      requireOnHost(found);
      found.requireWrittenApartFrom(options);
    }
    if (found != null && values != null) {
      found.requireSameOrApart(values, "values");
    }
  }

  private static void requireOnHost(Longs values) {
    if (values.isOnDevice()) {
      throw new IllegalArgumentException("keys are texts, on the host: values must be there, too");
    }
  }
}
