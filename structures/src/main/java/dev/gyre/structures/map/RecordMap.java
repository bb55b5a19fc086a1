package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Hash;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An insert-only map for many threads, with bulk operations, whose keys are records of up to four
 * numbers, and so are its values.
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
 * <p>Bulk operations take {@linkplain Columns columns}, one for each component of the key and one
 * for each of the value, in the order of the records; operations on single keys take the records.
 * Hash and equality may be the user's: {@link RecordSchema}. What is said of {@link LongLongMap}
 * holds for this map, and
 *
 * <ul>
 *   <li>{@linkplain Changes changes} are atomic in each column: who reads a value beside them has
 *       columns of several times;
 *   <li>a value that is replaced as a whole is, for who reads it: nobody reads half of one. Where
 *       it has several columns, nothing else runs meanwhile: {@link #insertOrAssign} inserts its
 *       keys first, and then replaces the values of those that were present;
 *   <li>sums of floats and doubles depend on the order in which they are added, and so differ in
 *       the last digits from run to run.
 * </ul>
 *
 * <p>Keys of two ints, or of one long, with one column of longs, equal by components, are held as a
 * {@link LongLongMap} holds longs, and are as fast. The layout of a builder is asked for there
 * only.
 *
 * @param <K> keys: a record of 1 to 4 components, int or long
 * @param <V> values: a record of 1 to 4 components, int, long, float or double
 */
public final class RecordMap<K extends Record, V extends Record>
    extends HashTable<Store<?, ?>, RecordMap<K, V>, RecordMapRef> {

  private static final String NAME = "RecordMap";

  private static final String CLAIMS =
      "waits for growth, for values that are replaced, and in a slot for the thread that claimed"
          + " it";
  private static final String READS = "waits for growth, and for values that are replaced";

  private final RecordSchema<K, V> schema;
  private final RecordOperations rows;

  private RecordMap(RecordSchema<K, V> schema, RecordOperations rows) {
    super(rows.store(), ref -> rows.ref(ref, List.of()));
    this.schema = schema;
    this.rows = rows;
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
        new LongStore(
            NAME,
            SavedMap.Kind.PACKED_RECORDS,
            settings.with(text, schema.hasOwnHash() ? packed(schema.hash(), paired) : null)),
        paired);
  }

  private static Hash packed(RecordHash hash, boolean paired) {
    return paired ? new RecordHash.OfPairs(hash) : new RecordHash.OfSingles(hash);
  }

  /** A map that starts small and grows, with a thread for every core. */
  public static <K extends Record, V extends Record> RecordMap<K, V> create(
      Class<K> key, Class<V> value) {
    return builder(RecordSchema.of(key, value)).build();
  }

  /** Settings of a map to be made, or {@linkplain MapBuilder#load(java.nio.file.Path) loaded}. */
  public static <K extends Record, V extends Record> MapBuilder<RecordMap<K, V>> builder(
      RecordSchema<K, V> schema) {
    Objects.requireNonNull(schema, "schema");
    return new MapBuilder<>(Layout.REFERENCE, settings -> of(schema, settings));
  }

  @Override
  RecordMap<K, V> self() {
    return this;
  }

  @Override
  RecordMap<K, V> made(MapSettings settings) {
    return new RecordMap<>(schema, operations(schema, settings));
  }

  /** What keys and values are. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public RecordSchema<K, V> schema() {
    return schema;
  }

  /** {@link #insert(Columns, Columns, BulkOptions)} of all keys. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Columns keys, Columns values) {
    return insert(keys, values, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present keeps its value.
   *
   * <p>Where a map that grows runs out of memory in the middle, every key is either in the map or
   * was not tried; outcomes of the latter say SKIPPED. That is so for all inserts.
   *
   * @throws IllegalArgumentException if the columns are not those of the records, there are not as
   *     many values, or options, as keys, or the options have a predicate of other keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Columns keys, Columns values, BulkOptions options) {
    return update(keys, values, new Update.Kept(), null, options);
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each then has in the map: its
   * own where it is INSERTED, the one present where it is PRESENT. Where it is FULL, the value that
   * was to be inserted is written.
   *
   * @param found one element per key; those that a mask leaves out are not written. A column of
   *     them may be exactly one of the keys or of the values.
   * @throws IllegalArgumentException as of {@code insert}, or if what is written overlaps what is
   *     read in another way
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(
      Columns keys, Columns values, Columns found, BulkOptions options) {
    checkOutput(keys, found, options);
    return update(keys, values, new Update.Fetched(), found, options);
  }

  /** {@link #insertOrAssign(Columns, Columns, BulkOptions)} of all keys. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Columns keys, Columns values) {
    return insertOrAssign(keys, values, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value as a whole. Of equal
   * keys, the value is that of one of them.
   *
   * @throws IllegalArgumentException as of {@code insert}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map, and of values that were to be replaced, some or none are
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Columns keys, Columns values, BulkOptions options) {
    return update(keys, values, new Update.Replaced(), null, options);
  }

  /** {@link #insertOrApply(Columns, Columns, Changes, BulkOptions)} of all keys. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(Columns keys, Columns values, Changes changes) {
    return insertOrApply(keys, values, changes, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; of a key that is present, columns are changed.
   *
   * @throws IllegalArgumentException as of {@code insert}, or if a change is of a column that there
   *     is not, or is none for its type
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the map
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(
      Columns keys, Columns values, Changes changes, BulkOptions options) {
    return update(keys, values, new Update.Changed(schema.rules(changes)), null, options);
  }

  private InsertCounts update(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options) {
    check(keys, values, options);
    if (found != null) {
      found.requireSameOrApart(values, "values");
    }
    return rows.insert(keys, values, update, found, options);
  }

  /**
   * Inserts the keys whose entries a predicate holds for; {@link #insert(Columns, Columns,
   * BulkOptions)} of {@link BulkOptions#whereRecord}.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertIf(Columns keys, Columns values, RecordPredicate predicate) {
    return insert(keys, values, BulkOptions.NONE.whereRecord(predicate));
  }

  /**
   * Looks up keys; those that the map has with a value for which a predicate does not hold are
   * ABSENT, too.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts findIf(Columns keys, Columns found, RecordPredicate predicate) {
    return find(keys, found, BulkOptions.NONE.whereRecord(predicate));
  }

  /** {@link #contains(Columns, BulkOptions)} of all keys. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(Columns keys) {
    return contains(keys, BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException as of {@code insert}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(Columns keys, BulkOptions options) {
    check(keys, options);
    return rows.find(keys, null, options);
  }

  /** {@link #find(Columns, Columns, BulkOptions)} of all keys. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(Columns keys, Columns found) {
    return find(keys, found, BulkOptions.NONE);
  }

  /**
   * Looks up keys and writes the value of each, or zeros where it is absent.
   *
   * @param found one element per key; those that a mask leaves out are not written. A column of
   *     them may be exactly one of the keys or of the values.
   * @throws IllegalArgumentException as of {@code insert}, or if what is written overlaps what is
   *     read in another way
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     values are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(Columns keys, Columns found, BulkOptions options) {
    check(keys, options);
    checkOutput(keys, found, options);
    return rows.find(keys, found, options);
  }

  /**
   * Copies all entries to the front of columns, in no particular order, as they are at one time;
   * returns how many there are. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the columns are not those of the records, or there is not
   *     room for {@code size()} entries; nothing was written then
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Columns keys, Columns values) {
    requireWritable(keys, values);
    return rows.retrieve(keys, values, null);
  }

  /**
   * Copies the entries that a predicate holds for to the front of columns, in no particular order,
   * as they are at one time; returns how many there are. It is asked where the map is, by many
   * threads. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the columns are not those of the records, or there is not
   *     room for the entries; some are then written
   * @throws dev.gyre.kernels.KernelException if the predicate is no record of handles and numbers
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
   * Gives all entries to a visitor, a record that is the body of a kernel; see {@link
   * LongLongMap#visit}.
   *
   * @throws dev.gyre.kernels.KernelException if the visitor is no record of handles and numbers
   * @throws dev.gyre.kernels.LaunchException if it fails
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     entries were visited then
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void visit(RecordVisitor visitor) {
    var _ = KernelTree.of(Objects.requireNonNull(visitor, "visitor"));
    rows.visit(visitor);
  }

  /**
   * Gives all entries to an action, on the calling thread, in no particular order. Keys that are
   * inserted meanwhile may be left out, and values are as they were at some time since the call.
   * The action may do anything with the map. Few entries at a time are on the heap.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows
   *     meanwhile
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    rows.forEach((key, row) -> action.accept(schema.key(key), schema.value(row)));
  }

  /**
   * The value of a key, or nothing where it is absent.
   *
   * @throws dev.gyre.atomics.ClosedException if the map was closed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public Optional<V> get(K key) {
    return value(rows.get(schema.keyWords(key)));
  }

  private Optional<V> value(long @Nullable [] row) {
    return row == null ? Optional.empty() : Optional.of(schema.value(row));
  }

  /** Whether a key is in the map; as {@link #get}. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean containsKey(K key) {
    return rows.get(schema.keyWords(key)) != null;
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
  public Optional<V> putIfAbsent(K key, V value) {
    return value(rows.putIfAbsent(schema.keyWords(key), schema.valueWords(value)));
  }

  /**
   * Gives a key a value, which it has then as a whole whether it was present or not; returns the
   * value that was there, or nothing.
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
  public Optional<V> put(K key, V value) {
    return value(rows.put(schema.keyWords(key), schema.valueWords(value)));
  }

  /**
   * Inserts a key with its value; of a key that is present, columns are changed. Atomic in each
   * column, also beside growth.
   *
   * <p>On a device the update is atomic, and its result is looked up after it: what others did to
   * the key meanwhile is in it.
   *
   * @return the value that the key has now, each column as its own change left it
   * @throws IllegalArgumentException if a change is of a column that there is not, or is none for
   *     its type
   * @throws MapFullException if the key is absent, and the map full and of fixed capacity
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws java.util.ConcurrentModificationException if a map on a device is cleared meanwhile
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the map
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public V merge(K key, V value, Changes changes) {
    return schema.value(
        rows.merge(schema.keyWords(key), schema.valueWords(value), schema.rules(changes)));
  }

  /**
   * This map for kernels whose refs {@linkplain RecordMapRef#merge merge} by changes; a view.
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
   * @throws IllegalArgumentException if a change is of a column that there is not, or is none for
   *     its type
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes a view")
  public Launchable<RecordMapRef> changing(Changes changes) {
    var rules = schema.rules(changes);
    return () -> store.hold(ref -> rows.ref(ref, rules));
  }

  /** Refuses what a bulk operation cannot be given. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(Columns keys, BulkOptions options) {
    schema.checkKeys(keys);
    Objects.requireNonNull(options, "options").check(keys.length());
    options.requireOn(false);
    var _ = options.records();
    keys.requireApartFrom(options);
  }

  /** The same of an insert. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(Columns keys, Columns values, BulkOptions options) {
    check(keys, options);
    schema.checkValues(values);
    if (values.length() != keys.length()) {
      throw new IllegalArgumentException(
          "%d keys need as many values, not %d".formatted(keys.length(), values.length()));
    }
    values.requireApartFrom(options);
  }

  /** Refuses what values that are found cannot be written to. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void checkOutput(Columns keys, Columns found, BulkOptions options) {
    schema.checkKeys(keys);
    Objects.requireNonNull(options, "options");
    schema.checkValues(found);
    if (found.length() != keys.length() || found.areReadOnly()) {
      throw new IllegalArgumentException(
          "%d keys need as many elements to write values to, not %d"
              .formatted(keys.length(), found.length()));
    }
    found.requireSameOrApart(keys, "keys");
    found.requireWrittenApartFrom(options);
  }
}
