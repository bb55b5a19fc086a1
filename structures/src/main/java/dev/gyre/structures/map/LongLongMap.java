package dev.gyre.structures.map;

import static dev.gyre.progress.ProgressClass.DEADLOCK_FREE;
import static dev.gyre.progress.ProgressClass.LOCK_FREE;
import static dev.gyre.progress.ProgressClass.WAIT_FREE;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.progress.Progress;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.LongSpliterator;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.view.LongLongView;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hash map from long to long for many threads, with bulk operations. Keys can be removed if the
 * builder was called with {@link MapBuilder#removable}.
 *
 * <p>It follows the {@code concurrent_insert_only_map} of Bryce Adelstein Lelbach's CppCon talk
 * "The CUDA C++ Standard Library". The bulk operations follow NVIDIA's cuCollections. The package
 * describes threads, memory, errors and interrupts of all maps.
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
 * <h2>Equal keys in one operation</h2>
 *
 * <ul>
 *   <li>{@code insert} inserts one of them; the map keeps that key's value.
 *   <li>{@code insertOrAssign} leaves the value of one of them.
 *   <li>{@code insertOrApply} applies all of them.
 * </ul>
 *
 * <p>A map with one {@linkplain MapBuilder#workers worker} on the JVM takes keys in their order,
 * also during growth: it inserts the first of equal keys and assigns the last. With {@link
 * dev.gyre.structures.Waiting#DEFERRED} this holds while no other thread inserts. The threads of a
 * device take keys in any order.
 *
 * @since 0.1.0
 */
@IntSpecialized(mixed = true)
public final class LongLongMap extends HashTable<LongStore, LongLongMap, LongMapRef> {

  private static final String NAME = "LongLongMap";

  private final LongAccess access;

  private LongLongMap(MapSettings settings) {
    this(new LongStore(NAME, SavedMap.Kind.LONGS, settings));
  }

  LongLongMap(LongStore store) {
    super(store, LongMapRef::new, LongLongMap::new);
    this.access = new LongAccess(store);
  }

  /** Returns an empty map that grows on demand and uses a thread per core. */
  public static LongLongMap create() {
    return builder().build();
  }

  /** Loads a map from a file; see {@link MapBuilder#load(Path)}. */
  public static LongLongMap load(Path file) {
    return builder().load(file);
  }

  /** Loads a map from a stream; see {@link MapBuilder#load(InputStream)}. */
  public static LongLongMap load(InputStream in) {
    return builder().load(in);
  }

  /**
   * Loads a map from the bytes that {@link #save(java.io.OutputStream)} wrote; see {@link
   * MapBuilder#load(MemorySegment)}.
   */
  public static LongLongMap load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Returns a builder with the default settings. */
  public static MapBuilder<LongLongMap> builder() {
    return new MapBuilder<>(SavedMap.Kind.LONGS, LongLongMap::new);
  }

  /** Calls {@link #insert(Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(long[] keys, long[] values) {
    return update(
        named(keys, "keys"), named(values, "values"), Change.Policy.KEEP, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>If the map is of fixed capacity and full, a bulk insert counts further keys as FULL and
   * returns. With {@link BulkOptions#throwIfFull} it throws a {@link MapFullException} instead, as
   * operations on single keys do.
   *
   * <p>If the memory to grow runs out during an insert, each key is either in the map or was not
   * tried. The outcome of a key that was not tried is SKIPPED. This holds for all inserts.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Longs keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.KEEP, options);
  }

  /** Calls {@link #insertAndFind(Longs, Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found) {
    return insertAndFind(
        named(keys, "keys"), named(values, "values"), named(found, "found"), BulkOptions.NONE);
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each key then has in the map.
   * For a key that is FULL, it writes the value that was to be inserted.
   *
   * @param found one element per key; elements of masked keys are not written. It may be exactly
   *     {@code keys} or exactly {@code values}.
   * @throws IllegalArgumentException if the numbers of keys, values, elements and options differ,
   *     or if {@code found} overlaps other memory of the operation
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(Longs keys, Longs values, Longs found, BulkOptions options) {
    Objects.requireNonNull(values, "values");
    check(keys, values, Objects.requireNonNull(found, "found"), options);
    return checked(store.insert(keys, values, Change.Policy.FETCH, found, options), options);
  }

  /** Calls {@link #insertOrAssign(Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(long[] keys, long[] values) {
    return insertOrAssign(named(keys, "keys"), named(values, "values"), BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Longs keys, Longs values, BulkOptions options) {
    return update(keys, values, Change.Policy.ASSIGN, options);
  }

  /** Calls {@link #insertOrApply(Longs, Longs, Apply, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply apply) {
    return insertOrApply(named(keys, "keys"), named(values, "values"), apply, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; for a key that is present, {@code apply} combines the present
   * value and the new one. Sums wrap around; see {@link Apply#ADD}.
   *
   * @throws IllegalArgumentException if the numbers of keys, values and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(Longs keys, Longs values, Apply apply, BulkOptions options) {
    return update(keys, values, Objects.requireNonNull(apply, "apply").change(), options);
  }

  /** Calls {@link #insertOrApply(Longs, Longs, Fold, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(long[] keys, long[] values, Fold fold) {
    return insertOrApply(named(keys, "keys"), named(values, "values"), fold, BulkOptions.NONE);
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
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(Longs keys, Longs values, Fold fold, BulkOptions options) {
    return update(keys, values, Change.of(Objects.requireNonNull(fold, "fold")), options);
  }

  private InsertCounts update(Longs keys, Longs values, Change change, BulkOptions options) {
    check(keys, Objects.requireNonNull(values, "values"), null, options);
    return checked(store.insert(keys, values, change, null, options), options);
  }

  /** Calls {@link #contains(Longs, BulkOptions)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(long[] keys) {
    return contains(named(keys, "keys"), BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts contains(Longs keys, BulkOptions options) {
    check(keys, null, null, options);
    return store.find(keys, null, options);
  }

  /** Calls {@link #find(Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts find(long[] keys, long[] found) {
    return find(named(keys, "keys"), named(found, "found"), BulkOptions.NONE);
  }

  /**
   * Looks up keys and writes the value of each, or 0 if the key is absent.
   *
   * @param found one element per key; elements of masked keys are not written. It may be exactly
   *     {@code keys}.
   * @throws IllegalArgumentException if the numbers of keys, elements and options differ, or if
   *     {@code found} overlaps other memory of the operation
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values may be written
   */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts find(Longs keys, Longs found, BulkOptions options) {
    check(keys, null, Objects.requireNonNull(found, "found"), options);
    return store.find(keys, found, options);
  }

  /**
   * Returns the value of a key, or empty if the key is absent. No other operation blocks this
   * method on the JVM.
   *
   * @throws dev.gyre.atomics.ClosedException if the map is closed
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public OptionalLong get(/* int */ long key) {
    return access.get(key);
  }

  /**
   * Returns the value of a key, or {@code ifAbsent} if the key is absent; otherwise as {@link
   * #get}.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public /* int */ long getOrDefault(/* int */ long key, /* int */ long ifAbsent) {
    return access.get(key).orElse(ifAbsent);
  }

  /** Returns whether a key is in the map; otherwise as {@link #get}. */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean containsKey(/* int */ long key) {
    return access.get(key).isPresent();
  }

  /**
   * Inserts a key if it is absent; returns the present value, or empty if the key was absent.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(/* int */ long key, /* int */ long value) {
    return access.putIfAbsent(key, value);
  }

  /**
   * Sets the value of a key, present or not; returns the old value, or empty if the key was absent.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws UnsupportedOperationException if the table is on a device; use {@code insertOrAssign}
   *     there, which does not return the old value
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong put(/* int */ long key, /* int */ long value) {
    return access.change(key, value, Change.Policy.ASSIGN);
  }

  /**
   * Sets the value of a key if it is present; returns the old value, or empty if the key is absent.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(/* int */ long key, /* int */ long value) {
    return access.replace(key, value);
  }

  /**
   * Sets the value of a key if it equals {@code oldValue}; returns whether it did. The change is
   * atomic, also during growth.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(/* int */ long key, /* int */ long oldValue, /* int */ long newValue) {
    return access.replace(key, oldValue, newValue);
  }

  /**
   * Removes a key; returns its value, or empty if the key was absent.
   *
   * @throws UnsupportedOperationException if the map was built without {@link MapBuilder#removable}
   * @throws StuckException if the map is on a device, and a wait for another thread took too long
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public OptionalLong remove(/* int */ long key) {
    return access.remove(key);
  }

  /**
   * Removes a key if its value equals {@code value}; returns whether it did.
   *
   * @throws UnsupportedOperationException if the map was built without {@link
   *     MapBuilder#removable}, or if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(/* int */ long key, /* int */ long value) {
    return access.remove(key, value);
  }

  /** Calls {@link #removeAll(Longs, BulkOptions)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(long[] keys) {
    return removeAll(named(keys, "keys"), BulkOptions.NONE);
  }

  /**
   * Removes keys. Of several equal keys, exactly one is REMOVED and the others are ABSENT.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ, or the options have
   *     a predicate; use {@link #removeIf}
   * @throws UnsupportedOperationException if the map was built without {@link MapBuilder#removable}
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be removed
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(Longs keys, BulkOptions options) {
    check(keys, null, null, options);
    options.requireNoPredicate();
    return store.remove(keys, null, options);
  }

  /**
   * Removes keys as {@link #removeAll(Longs, BulkOptions)} does, and writes the value that each
   * had, or 0 if the key was absent.
   *
   * @param found as in {@link #find(Longs, Longs, BulkOptions)}
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAndFind(Longs keys, Longs found, BulkOptions options) {
    check(keys, null, Objects.requireNonNull(found, "found"), options);
    options.requireNoPredicate();
    return store.remove(keys, found, options);
  }

  /**
   * Removes the entries for which a predicate returns true; returns their number. Many threads call
   * the predicate, where the table is, while no other update runs.
   *
   * @throws dev.gyre.kernels.KernelException if the predicate is not a record of handles and
   *     numbers
   * @throws UnsupportedOperationException if the map was built without {@link MapBuilder#removable}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries may be removed
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long removeIf(EntryPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.removeIf(predicate);
  }

  /**
   * Inserts a key with its value. If the key is present, {@code apply} combines the present value
   * and the new one. The update is atomic, also during growth.
   *
   * <p>On a device the value is read after the update. It may include updates of other threads: two
   * threads that both add 1 may both get 2.
   *
   * @return the new value of the key
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws java.util.ConcurrentModificationException if the map is on a device and another thread
   *     clears it at the same time
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Apply apply) {
    return access.merge(key, value, Objects.requireNonNull(apply, "apply").change());
  }

  /**
   * Inserts a key with its value. If the key is present, the user's function combines the present
   * value and the new one. On the JVM, the calling thread runs the function.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Fold fold) {
    return access.merge(key, value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /** Adds 1 to the value of a key, absent or not; returns the new value. See {@link #merge}. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long increment(/* int */ long key) {
    return merge(key, 1, Apply.ADD);
  }

  /**
   * Sets the value of a key to the result of a function of its present value; returns the new
   * value. The function gets empty if the key is absent. If it returns empty, an absent key stays
   * absent, and a present key is removed.
   *
   * <p>The calling thread runs the function, in no lock. It runs the function again if another
   * thread changed the value meanwhile, and uses exactly one result. The function may call any
   * method of the map; if it changes the value of its own key, the call never ends.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws UnsupportedOperationException if the table is on a device, or the function returns
   *     empty for a present key and the map cannot remove keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong compute(/* int */ long key, UnaryOperator<OptionalLong> function) {
    return access.compute(key, Objects.requireNonNull(function, "function"));
  }

  /**
   * Returns the value of a key; if the key is absent, first inserts it with the result of a
   * function of the key. Threads that insert the same key at the same time each run the function in
   * no lock, and all get the result of one of them. The function may call any method of the map.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long computeIfAbsent(/* int */ long key, LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    OptionalLong present = access.get(key);
    return present.isPresent()
        ? present.getAsLong()
        : access.valueAfterInsert(key, function.applyAsLong(key));
  }

  /**
   * Sets the value of a key, if it is present, to the result of a function of that value; returns
   * the new value, or empty if the key is absent. Otherwise as {@link #compute}.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong computeIfPresent(/* int */ long key, LongUnaryOperator function) {
    return access.computeIfPresent(key, function);
  }

  /**
   * Sets the values of all keys of a map, by one bulk operation.
   *
   * @throws MapFullException if this map, of fixed capacity, is full; keys that fit are in it
   * @throws NullPointerException if a key or value is null; nothing is inserted
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public void putAll(Map<Long, Long> entries) {
    List<Map.Entry<Long, Long>> all =
        List.copyOf(Objects.requireNonNull(entries, "entries").entrySet());
    long[] keys = all.stream().mapToLong(Map.Entry::getKey).toArray();
    long[] values = all.stream().mapToLong(Map.Entry::getValue).toArray();
    var _ =
        insertOrAssign(
            named(keys, "keys"), named(values, "values"), BulkOptions.NONE.throwIfFull());
  }

  /**
   * Returns a stream of all keys, without boxing. Streams of a map are sequential, can be made
   * parallel, and are weakly consistent: they may or may not include keys that are inserted
   * meanwhile. Each value is one that its key had since the stream was made.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public LongStream keys() {
    return new LongSpliterator<>(access.walk(), true).stream();
  }

  /** Returns a stream of all values, without boxing; otherwise as {@link #keys}. */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public LongStream values() {
    return new LongSpliterator<>(access.walk(), false).stream();
  }

  /** Returns a stream of all entries, which are boxed; otherwise as {@link #keys}. */
  @Override
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Stream<Map.Entry<Long, Long>> stream() {
    return view().entrySet().stream();
  }

  /**
   * Returns a cursor over all entries, without boxing.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Cursor cursor() {
    return access.walk();
  }

  /**
   * Returns a view of this map as a {@link ConcurrentMap}, which boxes keys and values.
   *
   * <p>It differs from a {@link java.util.concurrent.ConcurrentHashMap} in its functions, given to
   * {@code compute}, {@code computeIfAbsent}, {@code computeIfPresent}, {@code merge} or {@code
   * replaceAll}:
   *
   * <ul>
   *   <li>They run in no lock, before the key is inserted, and no other thread waits for them.
   *   <li>They run again if another thread changed the value meanwhile; exactly one result is used.
   *       Of threads that call {@code computeIfAbsent} for one key at the same time, several run
   *       their function.
   *   <li>They may call any method of the map. If a function changes the value of its own key, the
   *       call never ends, as in a {@link java.util.concurrent.ConcurrentSkipListMap}.
   * </ul>
   *
   * <p>If the map was built without {@link MapBuilder#removable}, removals throw {@link
   * UnsupportedOperationException}, and so does a function that returns null for a present key.
   * Lookups of null, and of objects of another type, find nothing. Iterators are weakly consistent;
   * {@code setValue} of an entry puts the value into the map. While the table is on a device,
   * methods that put, replace or iterate throw {@link UnsupportedOperationException}, except {@code
   * putIfAbsent}.
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public ConcurrentMap<Long, Long> asMap() {
    return view();
  }

  LongLongView view() {
    return new LongLongView(store, access);
  }

  /** Calls {@link #retrieveAll(Longs, Longs)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(long[] keys, long[] values) {
    return retrieveAll(named(keys, "keys"), named(values, "values"));
  }

  /**
   * Copies all entries, in no particular order; returns their number. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the arrays are shorter than {@link #size()}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries may be written
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Longs keys, Longs values) {
    Objects.requireNonNull(keys, "keys").requireWritable();
    Objects.requireNonNull(values, "values").requireWritable();
    return store.retrieve(keys, values, null);
  }

  /** Calls {@link #retrieveIf(Longs, Longs, EntryPredicate)} with arrays. */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(long[] keys, long[] values, EntryPredicate predicate) {
    return retrieveIf(named(keys, "keys"), named(values, "values"), predicate);
  }

  /**
   * Copies the entries for which a predicate returns true, in no particular order; returns their
   * number. Many threads call the predicate, where the table is. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the arrays are too short; some entries may be written
   * @throws dev.gyre.kernels.KernelException if the predicate is not a record of handles and
   *     numbers
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries may be written
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(Longs keys, Longs values, EntryPredicate predicate) {
    Objects.requireNonNull(keys, "keys").requireWritable();
    Objects.requireNonNull(values, "values").requireWritable();
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return store.retrieve(keys, values, predicate);
  }

  /**
   * Calls a visitor for all entries, with many threads where the table is, in no particular order.
   *
   * <p>The visitor is a record and runs as a kernel. On the JVM, what it writes to memory is
   * visible when this method returns. On a device, {@link dev.gyre.kernels.Launcher#readBack} of
   * the map's launcher copies it to the host. This method waits for running inserts, and inserts
   * wait for it.
   *
   * @throws dev.gyre.kernels.KernelException if the visitor is not a record of handles and numbers
   * @throws dev.gyre.kernels.LaunchException if the visitor fails
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some entries
   *     were visited
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public void visit(EntryVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    store.visit(visitor);
  }

  /**
   * Calls an action for all entries, on the calling thread, in no particular order. The iteration
   * is weakly consistent: it may or may not include keys that are inserted meanwhile. Each value is
   * one that the key had during the call. The action may call any method of the map.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows during
   *     the iteration
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEach(LongLongConsumer action) {
    access.forEach(Objects.requireNonNull(action, "action"));
  }

  /** Checks the operands of a bulk operation, of which values and their destination may lack. */
  @Internal
  @Progress(value = WAIT_FREE, because = "only checks its arguments")
  public static void check(
      Longs keys, @Nullable Longs values, @Nullable Longs found, BulkOptions options) {
    Objects.requireNonNull(options, "options").check(Objects.requireNonNull(keys, "keys").length());
    keys.requireApartFrom(options);
    if (values != null) {
      BulkOptions.requireAsMany(keys.length(), values.length());
      values.requireApartFrom(options);
    }
    if (found != null) {
      BulkOptions.requireOutput(keys.length(), found.length(), false);
      found.requireWritable();
      found.requireSameOrApart(keys, "keys");
      found.requireWrittenApartFrom(options);
    }
    if (found != null && values != null) {
      found.requireSameOrApart(values, "values");
    }
  }
}
