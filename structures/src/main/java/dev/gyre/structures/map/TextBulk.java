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
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bulk operations of a map with text keys. */
abstract class TextBulk extends HashTable<TextStore, TextLongMap, TextMapRef> {

  static final String CLAIMS = "waits for growth, and in a slot for the thread that claimed it";
  private static final String FINDS = CLAIMS + "; no update waits for it";

  final TextAccess access;

  TextBulk(TextStore store) {
    super(store, TextMapRef::new);
    this.access = new TextAccess(store);
  }

  /** {@link #insert(TextKeys, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(List<String> keys, long[] values) {
    return insert(keys, values, Change.Policy.KEEP, null);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>Where a map that grows runs out of memory in the middle, every key is either in the map or
   * was not tried; outcomes of the latter say SKIPPED. That is so for all inserts. A map of fixed
   * capacity has fixed room for text, too: a key for whose text there is no room is FULL.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(TextKeys keys, Longs values, BulkOptions options) {
    check(keys, values, options);
    return store.insert(keys, values, Change.Policy.KEEP, null, options);
  }

  /** Inserts the keys whose element in the mask is true; {@link #insert(List, long[])}. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(List<String> keys, long[] values, boolean[] mask) {
    return store.withKeys(
        keys, all -> insert(all, named(values, "values"), BulkOptions.NONE.where(mask)));
  }

  /** {@link #insertIf(TextKeys, Longs, TextPredicate)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(List<String> keys, long[] values, TextPredicate predicate) {
    return store.withKeys(keys, all -> insertIf(all, named(values, "values"), predicate));
  }

  /**
   * Inserts the keys whose entries a predicate holds for; {@link #insert(TextKeys, Longs,
   * BulkOptions)}.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(TextKeys keys, Longs values, TextPredicate predicate) {
    return insert(keys, values, BulkOptions.NONE.whereText(predicate));
  }

  /** {@link #insertAndFind(TextKeys, Longs, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(List<String> keys, long[] values, long[] found) {
    return insert(keys, values, Change.Policy.FETCH, Objects.requireNonNull(found, "found"));
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each then has in the map: its
   * own where it is INSERTED, the one present where it is PRESENT. Where it is FULL, the value that
   * was to be inserted is written.
   *
   * @param found one element per key; those that a mask leaves out are not written. They may be
   *     exactly the values.
   * @throws IllegalArgumentException if there are not as many values, elements or options as keys,
   *     or what is written overlaps what is read in another way
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(TextKeys keys, Longs values, Longs found, BulkOptions options) {
    check(keys, values, options);
    checkOutput(keys, found, options);
    found.requireSameOrApart(values, "values");
    return store.insert(keys, values, Change.Policy.FETCH, found, options);
  }

  /** {@link #insertOrAssign(TextKeys, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(List<String> keys, long[] values) {
    return insert(keys, values, Change.Policy.ASSIGN, null);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(TextKeys keys, Longs values, BulkOptions options) {
    check(keys, values, options);
    return store.insert(keys, values, Change.Policy.ASSIGN, null, options);
  }

  /** {@link #insertOrApply(TextKeys, Longs, Apply, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(List<String> keys, long[] values, Apply apply) {
    return insert(keys, values, Objects.requireNonNull(apply, "apply").change(), null);
  }

  /**
   * Inserts keys with their values; the value of a key that is present becomes what {@code apply}
   * makes of it and the new one. Sums wrap around; see {@link Apply#ADD}.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Apply apply, BulkOptions options) {
    check(keys, values, options);
    return store.insert(
        keys, values, Objects.requireNonNull(apply, "apply").change(), null, options);
  }

  /** {@link #insertOrApply(TextKeys, Longs, Fold, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(List<String> keys, long[] values, Fold fold) {
    return insert(keys, values, Change.of(Objects.requireNonNull(fold, "fold")), null);
  }

  /**
   * The same with a function of the user's, a record that is compiled into the kernel.
   *
   * @throws dev.gyre.kernels.KernelException if that is no record of handles and numbers
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Fold fold, BulkOptions options) {
    check(keys, values, options);
    Change change = Change.of(Objects.requireNonNull(fold, "fold"));
    return store.insert(keys, values, change, null, options);
  }

  /** Inserts strings: on the JVM few of them one by one, which needs no scratch memory. */
  final InsertCounts insert(
      List<String> keys, long[] values, Change change, long @Nullable [] found) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    Objects.requireNonNull(values, "values");
    if (store.insertsSingly(those.length)
        && values.length == those.length
        && (found == null || found.length == those.length)) {
      return access.insert(those, values, change, found);
    }
    return store.withKeys(
        Arrays.asList(those),
        all -> {
          Longs results = found == null ? null : Longs.of(found);
          check(all, Longs.of(values), BulkOptions.NONE);
          if (results != null) {
            checkOutput(all, results, BulkOptions.NONE);
          }
          return store.insert(all, Longs.of(values), change, results, BulkOptions.NONE);
        });
  }

  /** {@link #contains(TextKeys, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(List<String> keys) {
    return store.withKeys(keys, all -> contains(all, BulkOptions.NONE));
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(TextKeys keys, BulkOptions options) {
    check(keys, options);
    return store.find(keys, null, options);
  }

  /** {@link #find(TextKeys, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(List<String> keys, long[] found) {
    return store.withKeys(keys, all -> find(all, named(found, "found"), BulkOptions.NONE));
  }

  /**
   * Looks up keys and writes the value of each, or 0 where it is absent.
   *
   * @param found one element per key; those that a mask leaves out are not written
   * @throws IllegalArgumentException if there are not as many elements, or options, as keys, or
   *     what is written overlaps the options
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(TextKeys keys, Longs found, BulkOptions options) {
    check(keys, options);
    checkOutput(keys, found, options);
    return store.find(keys, found, options);
  }

  /** {@link #findIf(TextKeys, Longs, TextPredicate)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts findIf(List<String> keys, long[] found, TextPredicate predicate) {
    return store.withKeys(keys, all -> findIf(all, named(found, "found"), predicate));
  }

  /**
   * Looks up keys; those that the map has with a value for which a predicate does not hold are
   * ABSENT, too; {@link #find(TextKeys, Longs, BulkOptions)}.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts findIf(TextKeys keys, Longs found, TextPredicate predicate) {
    return find(keys, found, BulkOptions.NONE.whereText(predicate));
  }

  /**
   * Adds all keys to a batch, in no particular order, writes their values, and returns how many
   * there are. Waits for running inserts.
   *
   * @throws IllegalArgumentException if there is not room for {@code size()} values
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(TextKeys keys, Longs values) {
    Objects.requireNonNull(keys, "keys").requireOpen();
    Objects.requireNonNull(values, "values");
    return store.quiescent(
        table -> {
          requireRoom(table.size(), values);
          return copy(table, keys, values, null);
        });
  }

  /**
   * Adds the keys to a batch whose entries a predicate holds for, in no particular order, writes
   * their values, and returns how many there are. It is asked by the thread that calls, where all
   * entries are brought from a device. Waits for running inserts.
   *
   * @throws IllegalArgumentException if there is not room for their values; some are then written
   * @throws dev.gyre.kernels.KernelException if the predicate is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(TextKeys keys, Longs values, TextPredicate predicate) {
    Objects.requireNonNull(keys, "keys").requireOpen();
    Objects.requireNonNull(values, "values");
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.quiescent(table -> copy(table, keys, values, predicate));
  }

  /**
   * Gives all entries to a visitor, a record that is the body of a kernel; see {@link
   * LongLongMap#visit}.
   *
   * @throws dev.gyre.kernels.KernelException if the visitor is no record of handles and numbers
   * @throws dev.gyre.kernels.LaunchException if it fails
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries were visited then
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void visit(TextVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    store.visit(visitor);
  }

  /** Adds all keys to a batch, as they are at one time, and returns their values. */
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
          requireRoom(count + 1, values);
          keys.add(key, 0, key.length);
          values.set(count++, value);
        }
      }
    }
    return count;
  }

  private static void requireRoom(long entries, Longs values) {
    if (values.length() < entries || values.isReadOnly()) {
      throw new IllegalArgumentException(
          "%d entries do not fit in %d values".formatted(entries, values.length()));
    }
  }

  /** The hash that the map was given, if any. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public final @Nullable TextHash textHash() {
    return store.textHash();
  }

  private static Longs named(long[] array, String name) {
    return Longs.of(Objects.requireNonNull(array, name));
  }

  /** Refuses what a bulk operation cannot be given. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public final void check(TextKeys keys, BulkOptions options) {
    Objects.requireNonNull(options, "options").check(Objects.requireNonNull(keys, "keys").count());
    options.requireOn(false);
  }

  /** The same of an insert. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public final void check(TextKeys keys, Longs values, BulkOptions options) {
    check(keys, options);
    if (Objects.requireNonNull(values, "values").length() != keys.count()) {
      throw new IllegalArgumentException(
          "%d keys need as many values, not %d".formatted(keys.count(), values.length()));
    }
    requireOnHost(values);
    values.requireApartFrom(options);
  }

  /** Refuses what values that are found cannot be written to. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public final void checkOutput(TextKeys keys, Longs found, BulkOptions options) {
    if (Objects.requireNonNull(found, "found").length() != keys.count() || found.isReadOnly()) {
      throw new IllegalArgumentException(
          "%d keys need as many elements to write values to, not %d"
              .formatted(keys.count(), found.length()));
    }
    requireOnHost(found);
    found.requireWrittenApartFrom(options);
  }

  private static void requireOnHost(Longs values) {
    if (values.isOnDevice()) {
      throw new IllegalArgumentException("keys are texts, on the host: values must be there, too");
    }
  }
}
