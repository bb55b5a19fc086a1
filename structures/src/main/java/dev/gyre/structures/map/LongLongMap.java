package dev.gyre.structures.map;

import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.LongTables;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.view.LongLongView;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;

/**
 * An insert-only map from long to long for many threads, with bulk operations.
 *
 * <p>It is the {@code concurrent_insert_only_map} of Bryce Adelstein Lelbach's talk, with the bulk
 * operations of NVIDIA's cuCollections; the package says what holds for all maps.
 *
 * <pre>{@code
 * try (var map = LongLongMap.create()) {
 *   InsertCounts counts = map.insert(keys, values);
 *   map.insertOrApply(keys, values, Apply.ADD);
 *   FindCounts hits = map.find(wanted, found);
 *   long now = map.merge(key, 1, Apply.ADD); // one key, from any thread
 *   map.forEach((key, value) -> System.out.println(key + " " + value));
 * }
 * }</pre>
 *
 * <p>Of equal keys in one operation: {@code insert} keeps the value of the one that is INSERTED,
 * which may be any of them; {@code insertOrAssign} ends with the value of any of them; {@code
 * insertOrApply} applies all of them. With one {@linkplain MapBuilder#workers worker}, of the JVM,
 * it is the first that is INSERTED, and the last that is assigned, also where the map grows in
 * between; with {@link dev.gyre.structures.Waiting#DEFERRED} that is so where no other thread
 * inserts meanwhile. The threads of a device take keys in any order.
 */
@IntTwin
public final class LongLongMap extends HashTable<LongStore, LongLongMap, LongMapRef> {

  private static final String NAME = "LongLongMap";

  private static final String CLAIMS =
      "waits for growth, and in a slot for the thread that claimed it";
  private static final String FINDS = CLAIMS + "; no update waits for it";
  private static final String READS =
      "looks again only where the map has grown or was cleared meanwhile;"
          + " on a device waits in a slot";
  private static final String WALKS =
      "looks again only where the map has grown or was cleared meanwhile;"
          + " on a device waits for running inserts";

  private final LongAccess access;

  private LongLongMap(MapSettings settings) {
    this(new LongStore(NAME, settings));
  }

  LongLongMap(LongStore store) {
    super(store, LongMapRef::new);
    this.access = new LongAccess(store);
  }

  @Override
  LongLongMap self() {
    return this;
  }

  @Override
  LongLongMap made(MapSettings settings) {
    return new LongLongMap(settings);
  }

  /** A map that starts small and grows, with a thread for every core. */
  public static LongLongMap create() {
    return builder().build();
  }

  /** A map of what is in a file; see {@link MapBuilder#load(Path)}. */
  public static LongLongMap load(Path file) {
    return builder().load(file);
  }

  /** A map of the bytes that it was saved as; see {@link MapBuilder#load(MemorySegment)}. */
  public static LongLongMap load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Settings of a map to be made. */
  public static MapBuilder<LongLongMap> builder() {
    return new MapBuilder<>(LongTables.LAYOUT, LongLongMap::new);
  }

  /** {@link #insert(Longs, Longs, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(long[] keys, long[] values) {
    return update(
        named(keys, "keys"), named(values, "values"), Change.Policy.KEEP, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>Where a map that grows runs out of memory in the middle, every key is either in the map or
   * was not tried; outcomes of the latter say SKIPPED. That is so for all inserts.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Longs keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.KEEP, options);
  }

  /**
   * Inserts the keys whose element in the mask is true; {@link #insert(Longs, Longs, BulkOptions)}.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(long[] keys, long[] values, boolean[] mask) {
    return insert(named(keys, "keys"), named(values, "values"), BulkOptions.NONE.where(mask));
  }

  /** {@link #insertIf(Longs, Longs, EntryPredicate)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(long[] keys, long[] values, EntryPredicate predicate) {
    return insertIf(named(keys, "keys"), named(values, "values"), predicate);
  }

  /**
   * Inserts the keys whose entries a predicate holds for; {@link #insert(Longs, Longs,
   * BulkOptions)}.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(Longs keys, Longs values, EntryPredicate predicate) {
    return insert(keys, values, BulkOptions.NONE.where(predicate));
  }

  /** {@link #insertAndFind(Longs, Longs, Longs, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found) {
    return insertAndFind(
        named(keys, "keys"), named(values, "values"), named(found, "found"), BulkOptions.NONE);
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each then has in the map: its
   * own where it is INSERTED, the one present where it is PRESENT. Where it is FULL, the value that
   * was to be inserted is written.
   *
   * @param found one element per key; those that a mask leaves out are not written. They may be
   *     exactly the keys, or exactly the values.
   * @throws IllegalArgumentException if there are not as many values, elements or options as keys,
   *     or what is written overlaps what is read in another way
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(Longs keys, Longs values, Longs found, BulkOptions options) {
    check(keys, values, options);
    checkOutput(keys, found, options);
    found.requireSameOrApart(values, "values");
    return store.insert(keys, values, Change.Policy.FETCH, found, options);
  }

  /** {@link #insertOrAssign(Longs, Longs, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(long[] keys, long[] values) {
    return insertOrAssign(named(keys, "keys"), named(values, "values"), BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Longs keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.ASSIGN, options);
  }

  /** {@link #insertOrApply(Longs, Longs, Apply, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply apply) {
    return insertOrApply(named(keys, "keys"), named(values, "values"), apply, BulkOptions.NONE);
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
  public InsertCounts insertOrApply(Longs keys, Longs values, Apply apply, BulkOptions options) {
    return update(keys, values, Objects.requireNonNull(apply, "apply").change(), options);
  }

  /** {@link #insertOrApply(Longs, Longs, Fold, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(long[] keys, long[] values, Fold fold) {
    return insertOrApply(named(keys, "keys"), named(values, "values"), fold, BulkOptions.NONE);
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
  public InsertCounts insertOrApply(Longs keys, Longs values, Fold fold, BulkOptions options) {
    return update(keys, values, Change.of(Objects.requireNonNull(fold, "fold")), options);
  }

  private InsertCounts update(Longs keys, Longs values, Change change, BulkOptions options) {
    check(keys, values, options);
    return store.insert(keys, values, change, null, options);
  }

  /** {@link #contains(Longs, BulkOptions)} of an array. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(long[] keys) {
    return contains(named(keys, "keys"), BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(Longs keys, BulkOptions options) {
    check(keys, options);
    return store.find(keys, null, options);
  }

  /** {@link #find(Longs, Longs, BulkOptions)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(long[] keys, long[] found) {
    return find(named(keys, "keys"), named(found, "found"), BulkOptions.NONE);
  }

  /**
   * Looks up keys and writes the value of each, or 0 where it is absent.
   *
   * @param found one element per key; those that a mask leaves out are not written. They may be
   *     exactly the keys.
   * @throws IllegalArgumentException if there are not as many elements, or options, as keys, or
   *     what is written overlaps what is read in another way
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts find(Longs keys, Longs found, BulkOptions options) {
    check(keys, options);
    checkOutput(keys, found, options);
    return store.find(keys, found, options);
  }

  /** {@link #findIf(Longs, Longs, EntryPredicate)} of arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts findIf(long[] keys, long[] found, EntryPredicate predicate) {
    return findIf(named(keys, "keys"), named(found, "found"), predicate);
  }

  /**
   * Looks up keys; those that the map has with a value for which a predicate does not hold are
   * ABSENT, too; {@link #find(Longs, Longs, BulkOptions)}.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts findIf(Longs keys, Longs found, EntryPredicate predicate) {
    return find(keys, found, BulkOptions.NONE.where(predicate));
  }

  /**
   * The value of a key, or nothing where it is absent. No operation blocks it.
   *
   * @throws dev.gyre.atomics.ClosedException if the map was closed
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public OptionalLong get(/* int */ long key) {
    return access.get(key);
  }

  /** The value of a key, or another where it is absent; as {@link #get}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public /* int */ long getOrDefault(/* int */ long key, /* int */ long ifAbsent) {
    return access.getOrDefault(key, ifAbsent);
  }

  /** Whether a key is in the map; as {@link #get}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean containsKey(/* int */ long key) {
    return access.get(key).isPresent();
  }

  /**
   * Inserts a key unless it is present; returns the value that was there, or nothing.
   *
   * @throws MapFullException if the key is absent, and the map full and of fixed capacity
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(/* int */ long key, /* int */ long value) {
    return access.putIfAbsent(key, value);
  }

  /**
   * Gives a key a value, which it has then whether it was present or not; returns the value that
   * was there, or nothing.
   *
   * @throws MapFullException if the key is absent, and the map full and of fixed capacity
   * @throws UnsupportedOperationException if the table is on a device: {@code insertOrAssign} works
   *     there, but cannot say what was there before
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong put(/* int */ long key, /* int */ long value) {
    return access.change(key, value, Change.Policy.ASSIGN);
  }

  /**
   * Gives a key that is present another value; returns the value that was there, or nothing if the
   * key is absent, which it stays.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(/* int */ long key, /* int */ long value) {
    return access.replace(key, value);
  }

  /**
   * Gives a key another value if it has the one that is expected; returns whether it had. Atomic,
   * also beside growth.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(/* int */ long key, /* int */ long oldValue, /* int */ long newValue) {
    return access.replace(key, oldValue, newValue);
  }

  /**
   * Inserts a key with its value; the value of a key that is present becomes what {@code apply}
   * makes of it and the new one. Atomic, also beside growth.
   *
   * <p>On a device the update is atomic, and its result is looked up after it: what others did to
   * the key meanwhile is in it, so two threads that add 1 may both be given 2.
   *
   * @return the value that the key has now
   * @throws MapFullException if the key is absent, and the map full and of fixed capacity
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws java.util.ConcurrentModificationException if a map on a device is cleared meanwhile
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Apply apply) {
    return access.merge(key, value, Objects.requireNonNull(apply, "apply").change());
  }

  /**
   * The same with a function of the user's, which this thread calls where the map is on the JVM.
   *
   * @throws dev.gyre.kernels.KernelException if that is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Fold fold) {
    return access.merge(key, value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /**
   * This map as a {@link ConcurrentMap}, for code that wants one: a view, which boxes keys and
   * values. Keys cannot be removed, nor entries set; iterators are weakly consistent.
   *
   * <p>A function given to {@code compute}, {@code computeIfPresent} or {@code merge} is called
   * again if the value of its key changed meanwhile. If it changes that value itself, the call
   * never ends, as in a {@link java.util.concurrent.ConcurrentSkipListMap}.
   *
   * <p>While the table is on a device, all that puts, replaces or iterates, but for {@code
   * putIfAbsent}, throws an {@link UnsupportedOperationException}.
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes a view")
  public ConcurrentMap<Long, Long> asMap() {
    return new LongLongView(store, access);
  }

  /** {@link #retrieveAll(Longs, Longs)} to arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(long[] keys, long[] values) {
    return retrieveAll(named(keys, "keys"), named(values, "values"));
  }

  /**
   * Copies all entries, in no particular order, and returns how many there are. Waits for running
   * inserts.
   *
   * @throws IllegalArgumentException if there is not room for {@link #size()} entries
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Longs keys, Longs values) {
    requireWritable(Objects.requireNonNull(keys, "keys"));
    requireWritable(Objects.requireNonNull(values, "values"));
    return store.retrieve(keys, values, null);
  }

  /** {@link #retrieveIf(Longs, Longs, EntryPredicate)} to arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(long[] keys, long[] values, EntryPredicate predicate) {
    return retrieveIf(named(keys, "keys"), named(values, "values"), predicate);
  }

  /**
   * Copies the entries that a predicate holds for, in no particular order, and returns how many
   * there are. It is asked where the map is, by many threads. Waits for running inserts.
   *
   * @throws IllegalArgumentException if there is not room for them; some are then written
   * @throws dev.gyre.kernels.KernelException if the predicate is no record of handles and numbers
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(Longs keys, Longs values, EntryPredicate predicate) {
    requireWritable(Objects.requireNonNull(keys, "keys"));
    requireWritable(Objects.requireNonNull(values, "values"));
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.retrieve(keys, values, predicate);
  }

  /**
   * Gives all entries to a visitor, a record that is the body of a kernel: where the map is, by
   * many threads at once, in no particular order. What it writes to memory is brought back by
   * {@link dev.gyre.kernels.Launcher#readBack} of the launcher that the map was given; on the JVM
   * it is there. Waits for running inserts, and inserts for it.
   *
   * @throws dev.gyre.kernels.KernelException if the visitor is no record of handles and numbers
   * @throws dev.gyre.kernels.LaunchException if it fails
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries were visited then
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void visit(EntryVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    store.visit(visitor);
  }

  /**
   * Gives all entries to an action, on the calling thread, in no particular order. Weakly
   * consistent: keys that are inserted meanwhile may be left out, and values are as they were at
   * some time since the call. The action may do anything with the map.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows
   *     meanwhile
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEach(LongLongConsumer action) {
    access.forEach(Objects.requireNonNull(action, "action"));
  }

  /** Slots of which a key was never published; 0 unless the map is broken. For tests. */
  long reservedSlots() {
    return store.quiescent(used -> used.count(MapCodes.RESERVED));
  }

  /** Number of slots of the table. For tests. */
  long slots() {
    return store.slots();
  }

  private static Longs named(long[] array, String name) {
    return Longs.of(Objects.requireNonNull(array, name));
  }

  /** Refuses what a bulk operation cannot be given. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(Longs keys, BulkOptions options) {
    Objects.requireNonNull(options, "options").check(Objects.requireNonNull(keys, "keys").length());
    keys.requireApartFrom(options);
  }

  /** The same of an insert. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(Longs keys, Longs values, BulkOptions options) {
    check(keys, options);
    if (Objects.requireNonNull(values, "values").length() != keys.length()) {
      throw new IllegalArgumentException(
          "%d keys need as many values, not %d".formatted(keys.length(), values.length()));
    }
    values.requireApartFrom(options);
  }

  /** Refuses what values that are found cannot be written to. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void checkOutput(Longs keys, Longs found, BulkOptions options) {
    if (Objects.requireNonNull(found, "found").length() != keys.length()) {
      throw new IllegalArgumentException(
          "%d keys need as many elements to write values to, not %d"
              .formatted(keys.length(), found.length()));
    }
    requireWritable(found);
    found.requireSameOrApart(keys, "keys");
    found.requireWrittenApartFrom(options);
  }

  private static void requireWritable(Longs out) {
    if (out.isReadOnly()) {
      throw new IllegalArgumentException("values cannot be written to a read-only segment");
    }
  }
}
