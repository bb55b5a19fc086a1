package dev.gyre.structures.map;

import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.Launchable;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.access.PackedAccess;
import dev.gyre.structures.map.access.RecordAccess;
import dev.gyre.structures.map.access.RecordOperations;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.store.RecordStore;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.view.RecordView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hash map whose keys and values are records of up to four numbers, for many threads, with bulk
 * operations.
 *
 * <pre>{@code
 * record Edge(int from, int to) {}
 * record Traffic(double bytes, long latest) {}
 *
 * try (var map = RecordMap.create(Edge.class, Traffic.class)) {
 *   Changes sums = Changes.of("bytes", Apply.ADD).and("latest", Apply.MAX);
 *   Columns edges = Columns.ints(from, to);
 *   map.insertOrApply(edges, Columns.doubles(bytes).and(Columns.longs(times)), sums);
 *   map.find(edges, Columns.doubles(found).and(Columns.longs(latest)));
 *   Traffic now = map.merge(new Edge(1, 2), new Traffic(0.5, 7), sums); // one key, from any thread
 * }
 * }</pre>
 *
 * <p>Bulk operations take {@linkplain Columns columns}: one for each component of the key and one
 * for each component of the value, in the order of the records. Operations on single keys take
 * records. {@link RecordSchema} may set another hash and equality. The package and {@link
 * LongLongMap} describe threads, memory, errors and equal keys. In addition:
 *
 * <ul>
 *   <li>{@linkplain Changes Changes} are atomic in each column. A reader may see columns of
 *       different updates.
 *   <li>A value that is replaced as a whole is never seen half. If it has several columns, the
 *       replacement excludes all other operations. {@link #insertOrAssign} first inserts its keys,
 *       then replaces the values of keys that were present.
 *   <li>Sums of floats and doubles depend on the order of addition and may differ in the last
 *       digits.
 * </ul>
 *
 * <p>A map is stored like a {@link LongLongMap}, and is as fast, if its key is one long or two
 * ints, its value is one long, and keys are equal by their components. Only such a map uses the
 * builder's layout.
 *
 * @param <K> keys: a record of 1 to 4 components, int or long
 * @param <V> values: a record of 1 to 4 components, int, long, float or double
 * @since 0.1.0
 */
public final class RecordMap<K extends Record, V extends Record>
    extends HashTable<Store<?, ?>, RecordMap<K, V>, RecordMapRef> {

  private static final String NAME = "RecordMap";

  private static final String UPDATES =
      "waits for growth, for replacements of values, and for the thread that has claimed a slot";
  private static final String LOOKS_UP = "waits for growth, and for replacements of values";

  private final RecordSchema<K, V> schema;
  private final RecordOperations rows;
  private final RecordView<K, V> view;

  private RecordMap(RecordSchema<K, V> schema, RecordOperations rows) {
    super(
        rows.store(),
        ref -> rows.ref(ref, List.of()),
        settings -> new RecordMap<>(schema, operations(schema, settings)));
    this.schema = schema;
    this.rows = rows;
    this.view = new RecordView<>(schema, rows);
  }

  private static <K extends Record, V extends Record> RecordMap<K, V> of(
      RecordSchema<K, V> schema, MapSettings settings) {
    if (settings.hash() != null) {
      throw new IllegalArgumentException(
          NAME + ": a hash of numbers cannot hash records; give its schema a RecordHash");
    }
    return new RecordMap<>(schema, operations(schema, settings));
  }

  private static RecordOperations operations(RecordSchema<?, ?> schema, MapSettings settings) {
    String text = schema.toString();
    if (!PackedAccess.canHold(schema)) {
      return new RecordAccess(new RecordStore(NAME, schema, settings.with(text, null)));
    }
    boolean paired = schema.keyTypes().size() == 2;
    return new PackedAccess(
        schema,
        new LongStore(
            NAME,
            SavedMap.Kind.PACKED_RECORDS,
            settings.with(
                text, schema.hasOwnHash() ? new RecordHash.Packed(schema.hash(), paired) : null)),
        paired);
  }

  /** Returns an empty map that grows on demand and uses a thread per core. */
  public static <K extends Record, V extends Record> RecordMap<K, V> create(
      Class<K> key, Class<V> value) {
    return builder(RecordSchema.of(key, value)).build();
  }

  /**
   * Returns a builder with the default settings, to build a map or {@linkplain
   * MapBuilder#load(java.nio.file.Path) load} one.
   */
  public static <K extends Record, V extends Record> MapBuilder<RecordMap<K, V>> builder(
      RecordSchema<K, V> schema) {
    Objects.requireNonNull(schema, "schema");
    return new MapBuilder<>(SavedMap.Kind.RECORDS, settings -> of(schema, settings));
  }

  /** Returns the schema of keys and values. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public RecordSchema<K, V> schema() {
    return schema;
  }

  /** Calls {@link #insert(Columns, Columns, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insert(Columns keys, Columns values) {
    return insert(keys, values, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>If the memory to grow runs out during an insert, each key is either in the map or was not
   * tried. The outcome of a key that was not tried is SKIPPED. This holds for all inserts.
   *
   * @throws IllegalArgumentException if the columns do not match the records, if the numbers of
   *     keys, values and options differ, or if the options have a predicate for other keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insert(Columns keys, Columns values, BulkOptions options) {
    return update(keys, values, Update.KEEP, null, options);
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each key then has in the map.
   * For a key that is FULL, it writes the value that was to be inserted.
   *
   * @param found one element per key; elements of masked keys are not written. A column may be
   *     exactly a column of the keys or of the values.
   * @throws IllegalArgumentException as {@code insert}, or if {@code found} overlaps other memory
   *     of the operation
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insertAndFind(
      Columns keys, Columns values, Columns found, BulkOptions options) {
    Objects.requireNonNull(found, "values");
    return update(keys, values, Update.FETCH, found, options);
  }

  /** Calls {@link #insertOrAssign(Columns, Columns, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insertOrAssign(Columns keys, Columns values) {
    return insertOrAssign(keys, values, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; the new value replaces that of a key that is present, as a
   * whole. Equal keys leave the value of one of them.
   *
   * @throws IllegalArgumentException as {@code insert}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map, and some values may be replaced
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insertOrAssign(Columns keys, Columns values, BulkOptions options) {
    return update(keys, values, Update.ASSIGN, null, options);
  }

  /** Calls {@link #insertOrApply(Columns, Columns, Changes, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insertOrApply(Columns keys, Columns values, Changes changes) {
    return insertOrApply(keys, values, changes, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; for a key that is present, the changes combine columns of the
   * present value and the new one.
   *
   * @throws IllegalArgumentException as {@code insert}, or if a change names a column that does not
   *     exist, or does not suit its type
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public InsertCounts insertOrApply(
      Columns keys, Columns values, Changes changes, BulkOptions options) {
    return update(keys, values, Update.of(schema.rules(changes)), null, options);
  }

  private InsertCounts update(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options) {
    schema.check(keys, Objects.requireNonNull(values, "values"), found, options);
    return checked(rows.insert(keys, values, update, found, options), options);
  }

  /** Calls {@link #contains(Columns, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public FindCounts contains(Columns keys) {
    return contains(keys, BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException as {@code insert}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public FindCounts contains(Columns keys, BulkOptions options) {
    schema.check(keys, null, null, options);
    return rows.find(keys, null, options);
  }

  /** Calls {@link #find(Columns, Columns, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public FindCounts find(Columns keys, Columns found) {
    return find(keys, found, BulkOptions.NONE);
  }

  /**
   * Looks up keys and writes the value of each, or zeros if the key is absent.
   *
   * @param found one element per key; elements of masked keys are not written. A column may be
   *     exactly a column of the keys or of the values.
   * @throws IllegalArgumentException as {@code insert}, or if {@code found} overlaps other memory
   *     of the operation
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values may be written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public FindCounts find(Columns keys, Columns found, BulkOptions options) {
    schema.check(keys, null, Objects.requireNonNull(found, "values"), options);
    return rows.find(keys, found, options);
  }

  /**
   * Copies all entries to the first elements of columns, in no particular order, in one consistent
   * state; returns their number. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the columns do not match the records or are shorter than
   *     {@code size()}; nothing is written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Columns keys, Columns values) {
    requireWritable(keys, values);
    return rows.retrieve(keys, values, null);
  }

  /**
   * Copies the entries for which a predicate returns true to the first elements of columns, in no
   * particular order, in one consistent state; returns their number.
   *
   * <p>Many threads call the predicate, where the table is. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the columns do not match the records or are too short; some
   *     entries may be written
   * @throws dev.gyre.kernels.KernelException if the predicate is not a record of handles and
   *     numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveIf(Columns keys, Columns values, RecordPredicate predicate) {
    requireWritable(keys, values);
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return rows.retrieve(keys, values, predicate);
  }

  private void requireWritable(Columns keys, Columns values) {
    schema.checkKeys(keys);
    schema.checkValues(values);
    if (keys.length() != values.length() || keys.areReadOnly() || values.areReadOnly()) {
      throw new IllegalArgumentException(
          "entries need columns of one length to be written to, not of %d and %d"
              .formatted(keys.length(), values.length()));
    }
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
  public void visit(RecordVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    rows.visit(visitor);
  }

  /**
   * Calls an action for all entries, on the calling thread, in no particular order.
   *
   * <p>The iteration is weakly consistent: it may or may not include keys that are inserted
   * meanwhile. Each value is one that the key had during the call. The action may call any method
   * of the map. Only few entries at a time are on the heap.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows during
   *     the iteration
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    rows.forEach((key, row) -> action.accept(schema.key(key), schema.value(row)));
  }

  /**
   * Returns the value of a key, or empty if the key is absent.
   *
   * @throws dev.gyre.atomics.ClosedException if the map is closed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = LOOKS_UP)
  public Optional<V> get(K key) {
    return Optional.ofNullable(view.get(Objects.requireNonNull(key, "key")));
  }

  /**
   * Returns the value of a key, or {@code ifAbsent} if the key is absent; otherwise as {@link
   * #get}.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = LOOKS_UP)
  public V getOrDefault(K key, V ifAbsent) {
    return get(key).orElse(ifAbsent);
  }

  /** Returns whether a key is in the map; otherwise as {@link #get}. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = LOOKS_UP)
  public boolean containsKey(K key) {
    return rows.get(Objects.requireNonNull(key, "key")) != null;
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
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public Optional<V> putIfAbsent(K key, V value) {
    return Optional.ofNullable(view.putIfAbsent(key, value));
  }

  /**
   * Sets the whole value of a key, present or not; returns the old value, or empty if the key was
   * absent.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws UnsupportedOperationException if the table is on a device; use {@code insertOrAssign}
   *     there, which does not return the old value
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public Optional<V> put(K key, V value) {
    return Optional.ofNullable(view.put(key, value));
  }

  /**
   * Sets the whole value of a key if it is present; returns the old value, or empty if the key is
   * absent.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public Optional<V> replace(K key, V value) {
    return Optional.ofNullable(view.replace(key, value));
  }

  /**
   * Sets the whole value of a key if it equals {@code oldValue}; returns whether it did. The change
   * is atomic, also during growth.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public boolean replace(K key, V oldValue, V newValue) {
    return view.replace(key, oldValue, newValue);
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
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public Optional<V> compute(K key, UnaryOperator<Optional<V>> function) {
    store.requireOnJvm();
    Objects.requireNonNull(function, "function");
    return Optional.ofNullable(
        view.compute(key, (_, before) -> function.apply(Optional.ofNullable(before)).orElse(null)));
  }

  /**
   * Returns the value of a key; if the key is absent, first inserts it with the result of a
   * function of the key. Threads that insert the same key at the same time each run the function in
   * no lock, and all get the result of one of them. The function may call any method of the map.
   *
   * @throws NullPointerException if the function returns null
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    return view.computeIfAbsent(
        key, absent -> Objects.requireNonNull(function.apply(absent), "result of the function"));
  }

  /**
   * Sets the value of a key, if it is present, to the result of a function of that value; returns
   * the new value, or empty if the key is absent. Otherwise as {@link #compute}.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public Optional<V> computeIfPresent(K key, UnaryOperator<V> function) {
    Objects.requireNonNull(function, "function");
    return compute(key, before -> before.map(function));
  }

  /**
   * Puts all entries of a map, one by one.
   *
   * @throws MapFullException if this map, of fixed capacity, is full; some entries are in it
   * @throws UnsupportedOperationException if the table is on a device; use {@code insertOrAssign}
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public void putAll(Map<? extends K, ? extends V> entries) {
    view.putAll(Objects.requireNonNull(entries, "entries"));
  }

  /**
   * Returns a stream of all keys. Streams of a map are sequential, can be made parallel, and are
   * weakly consistent: they may or may not include keys that are inserted meanwhile. Each value is
   * one that its key had since the stream was made.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = VIEWS)
  public Stream<K> keys() {
    return view.keySet().stream();
  }

  /** Returns a stream of all values; otherwise as {@link #keys}. */
  @Progress(value = ProgressClass.WAIT_FREE, because = VIEWS)
  public Stream<V> values() {
    return view.values().stream();
  }

  /** Returns a stream of all entries; otherwise as {@link #keys}. */
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = VIEWS)
  public Stream<Map.Entry<K, V>> stream() {
    return view.entrySet().stream();
  }

  /**
   * Returns a view of this map as a {@link ConcurrentMap}. {@link LongLongMap#asMap} says what it
   * supports, and where it differs from a {@link java.util.concurrent.ConcurrentHashMap}.
   *
   * <p>{@code replace}, {@code remove} and {@code compute} compare present values by their own
   * {@code equals}. If the schema has another equality of keys, the map uses that one.
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = VIEWS)
  public ConcurrentMap<K, V> asMap() {
    return view;
  }

  /**
   * Inserts a key with its value. If the key is present, the changes combine columns of the present
   * value and the new one. The update is atomic in each column, also during growth.
   *
   * <p>On a device the value is read after the update, and may include updates of other threads.
   *
   * @return the new value; each column as its own change left it
   * @throws IllegalArgumentException if a change names a column that does not exist, or does not
   *     suit its type
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws java.util.ConcurrentModificationException if the map is on a device and another thread
   *     clears it at the same time
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; the map is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = UPDATES)
  public V merge(K key, V value, Changes changes) {
    return schema.value(rows.merge(key, value, schema.rules(changes)));
  }

  /**
   * Removes a key; returns its value, or empty if the key was absent.
   *
   * @throws UnsupportedOperationException if the map was built without {@link MapBuilder#removable}
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public Optional<V> remove(K key) {
    return Optional.ofNullable(view.remove(Objects.requireNonNull(key, "key")));
  }

  /**
   * Removes a key if its value equals {@code value}; returns whether it did.
   *
   * @throws UnsupportedOperationException if the map was built without {@link
   *     MapBuilder#removable}, or if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(K key, V value) {
    return view.remove(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
  }

  /** Calls {@link #removeAll(Columns, BulkOptions)} without options. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(Columns keys) {
    return removeAll(keys, BulkOptions.NONE);
  }

  /** Removes keys as {@link LongLongMap#removeAll(Longs, BulkOptions)} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(Columns keys, BulkOptions options) {
    schema.check(keys, null, null, options);
    options.requireNoPredicate();
    return rows.remove(keys, null, options);
  }

  /** Removes keys as {@link LongLongMap#removeAndFind} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAndFind(Columns keys, Columns found, BulkOptions options) {
    schema.check(keys, null, Objects.requireNonNull(found, "values"), options);
    options.requireNoPredicate();
    return rows.remove(keys, found, options);
  }

  /** Removes entries as {@link LongLongMap#removeIf} does. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long removeIf(RecordPredicate predicate) {
    var _ = KernelTree.of(Objects.requireNonNull(predicate, "predicate"));
    return rows.removeIf(predicate);
  }

  /**
   * Returns a view of this map for kernels. Its refs {@linkplain RecordMapRef#merge merge} by the
   * given changes.
   *
   * <pre>{@code
   * record CountEdges(RecordMapRef edges, OpenItems open, DeviceInts from, DeviceInts to, int items)
   *     implements Kernel {
   *   public void run(int thread, LaunchShape shape) {
   *     for (int i = thread; i < items; i += shape.threads()) {
   *       if (open.isOpen(i)) {
   *         KeyParts edge = new KeyParts(from.get(i), to.get(i), 0, 0);
   *         open.note(i, edges.merge(edge, new RowParts(1, 0, 0, 0)));
   *       }
   *     }
   *   }
   * }
   *
   * map.changing(Changes.of("count", Apply.ADD))
   *     .launchUntilDone(ref -> new CountEdges(ref, open, from, to, items), shape);
   * }</pre>
   *
   * @throws IllegalArgumentException if a change names a column that does not exist, or does not
   *     suit its type
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes a view")
  public Launchable<RecordMapRef> changing(Changes changes) {
    var rules = schema.rules(changes);
    return () -> store.pin(ref -> rows.ref(ref, rules));
  }
}
