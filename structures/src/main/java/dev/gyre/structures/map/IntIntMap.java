package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.util.Objects;

/**
 * An insert-only map from int to int for many threads, with bulk operations.
 *
 * <p>It is the {@code concurrent_insert_only_map} of Bryce Adelstein Lelbach's talk, with the bulk
 * operations of NVIDIA's cuCollections; the package says what holds for all maps.
 *
 * <pre>{@code
 * try (var map = IntIntMap.create()) {
 *   InsertCounts counts = map.insert(keys, values);
 *   map.insertOrApply(keys, values, Apply.ADD);
 *   FindCounts hits = map.find(wanted, found);
 *   map.forEach((key, value) -> System.out.println(key + " " + value));
 * }
 * }</pre>
 *
 * <p>Of equal keys in one operation: {@code insert} keeps the value of the one that is INSERTED,
 * which may be any of them; {@code insertOrAssign} ends with the value of any of them; {@code
 * insertOrApply} applies all of them. With one thread it is the first that is INSERTED, and the
 * last that is assigned.
 */
public final class IntIntMap implements AutoCloseable {

  private static final String NAME = "IntIntMap";

  private final IntStore store;

  private IntIntMap(MapSettings settings) {
    this.store = new IntStore(NAME, settings);
  }

  /** A map that starts small and grows, with a thread for every core. */
  public static IntIntMap create() {
    return builder().build();
  }

  /** Builds a map to measure. */
  public static MapBuilder<IntIntMap> builder() {
    return new MapBuilder<>(Layout.PACKED, IntIntMap::new);
  }

  /** {@link #insert(Ints, Ints, BulkOptions)} of arrays. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insert(int[] keys, int[] values) {
    return insert(Ints.of(keys), Ints.of(values), BulkOptions.NONE);
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
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insert(Ints keys, Ints values, BulkOptions options) {
    return update(keys, values, MapCodes.KEEP, options);
  }

  /**
   * Inserts the keys whose element in the mask is true; {@link #insert(Ints, Ints, BulkOptions)}.
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertIf(int[] keys, int[] values, boolean[] mask) {
    return insert(Ints.of(keys), Ints.of(values), BulkOptions.NONE.where(mask));
  }

  /** {@link #insertAndFind(Ints, Ints, Ints, BulkOptions)} of arrays. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertAndFind(int[] keys, int[] values, int[] found) {
    return insertAndFind(Ints.of(keys), Ints.of(values), Ints.of(found), BulkOptions.NONE);
  }

  /**
   * Inserts keys as {@code insert} does, and writes the value that each then has in the map: its
   * own where it is INSERTED, the one present where it is PRESENT. Where it is FULL, the value that
   * was to be inserted is written.
   *
   * @param found one element per key; those that a mask leaves out are not written
   * @throws IllegalArgumentException if there are not as many values, elements or options as keys
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertAndFind(Ints keys, Ints values, Ints found, BulkOptions options) {
    check(keys, values, options);
    checkOutput(keys, found);
    return store.insert(keys, values, MapCodes.FETCH, found, options);
  }

  /** {@link #insertOrAssign(Ints, Ints, BulkOptions)} of arrays. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertOrAssign(int[] keys, int[] values) {
    return insertOrAssign(Ints.of(keys), Ints.of(values), BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; a key that is present gets the new value.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertOrAssign(Ints keys, Ints values, BulkOptions options) {
    return update(keys, values, MapCodes.ASSIGN, options);
  }

  /** {@link #insertOrApply(Ints, Ints, Apply, BulkOptions)} of arrays. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertOrApply(int[] keys, int[] values, Apply apply) {
    return insertOrApply(Ints.of(keys), Ints.of(values), apply, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; the value of a key that is present becomes what {@code apply}
   * makes of it and the new one.
   *
   * @throws IllegalArgumentException if there are not as many values, or options, as keys
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public InsertCounts insertOrApply(Ints keys, Ints values, Apply apply, BulkOptions options) {
    return update(keys, values, apply.policy(), options);
  }

  private InsertCounts update(Ints keys, Ints values, int policy, BulkOptions options) {
    check(keys, values, options);
    return store.insert(keys, values, policy, null, options);
  }

  /** {@link #contains(Ints, BulkOptions)} of an array. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public FindCounts contains(int[] keys) {
    return contains(Ints.of(keys), BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the map.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public FindCounts contains(Ints keys, BulkOptions options) {
    options.check(keys.length());
    return store.find(keys, null, options);
  }

  /** {@link #find(Ints, Ints, BulkOptions)} of arrays. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public FindCounts find(int[] keys, int[] found) {
    return find(Ints.of(keys), Ints.of(found), BulkOptions.NONE);
  }

  /**
   * Looks up keys and writes the value of each, or 0 where it is absent.
   *
   * @param found one element per key; those that a mask leaves out are not written
   * @throws IllegalArgumentException if there are not as many elements, or options, as keys
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public FindCounts find(Ints keys, Ints found, BulkOptions options) {
    options.check(keys.length());
    checkOutput(keys, found);
    return store.find(keys, found, options);
  }

  /** Whether a key is in the map. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public boolean contains(int key) {
    return contains(new int[] {key}).found() == 1;
  }

  /** The value of a key, or another where it is absent. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because =
          "waits for growth, and in a slot for the thread that claimed it; no update waits for it")
  public int get(int key, int ifAbsent) {
    int[] found = new int[1];
    return find(new int[] {key}, found).found() == 1 ? found[0] : ifAbsent;
  }

  /** Inserts a key unless it is present. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for growth, and in a slot for the thread that claimed it")
  public Outcome insert(int key, int value) {
    byte[] outcome = new byte[1];
    var _ = insert(Ints.of(key), Ints.of(value), BulkOptions.NONE.outcomes(outcome));
    return Outcome.of(outcome[0]);
  }

  /** {@link #retrieveAll(Ints, Ints)} to arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running inserts")
  public long retrieveAll(int[] keys, int[] values) {
    return retrieveAll(Ints.of(keys), Ints.of(values));
  }

  /**
   * Copies all entries, in no particular order, and returns how many there are. Waits for running
   * inserts.
   *
   * @throws IllegalArgumentException if there is not room for {@link #size()} entries
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running inserts")
  public long retrieveAll(Ints keys, Ints values) {
    requireWritable(keys);
    requireWritable(values);
    return store.retrieveAll(keys, values);
  }

  /**
   * Gives all entries to an action, on the calling thread, in no particular order. The action may
   * read the map; entries inserted meanwhile may be left out.
   *
   * @throws java.util.ConcurrentModificationException if the map grows meanwhile
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running inserts")
  public void forEach(IntIntConsumer action) {
    store.forEach(Objects.requireNonNull(action, "action"));
  }

  /** Number of keys; while inserts run, they may count keys that turn out to be present. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "takes the gate's lock for a moment")
  public long size() {
    return store.size();
  }

  /** Number of keys that there is room for without growth. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "takes the gate's lock for a moment")
  public long capacity() {
    return store.capacity();
  }

  /** Bytes that the table takes, without scratch memory. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "takes the gate's lock for a moment")
  public long byteSize() {
    return store.byteSize();
  }

  /** Takes all keys out; the capacity stays. Waits for running operations. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void clear() {
    store.clear();
  }

  /**
   * Moves the entries to a table with another capacity. Waits for running operations.
   *
   * @param capacity number of keys to have room for
   * @throws IllegalArgumentException if it is less than {@link #size()}
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void rehash(long capacity) {
    store.rehash(Math.max(1, capacity));
  }

  /** Slots of which a key was never published; 0 unless the map is broken. For tests. */
  long reservedSlots() {
    return store.reserved();
  }

  /** Number of slots of the table. For tests. */
  long slots() {
    return store.slots();
  }

  private static void check(Ints keys, Ints values, BulkOptions options) {
    options.check(keys.length());
    if (values.length() != keys.length()) {
      throw new IllegalArgumentException(
          "%d keys need as many values, not %d".formatted(keys.length(), values.length()));
    }
  }

  private static void checkOutput(Ints keys, Ints found) {
    if (found.length() != keys.length()) {
      throw new IllegalArgumentException(
          "%d keys need as many elements to write values to, not %d"
              .formatted(keys.length(), found.length()));
    }
    requireWritable(found);
  }

  private static void requireWritable(Ints out) {
    if (out.isReadOnly()) {
      throw new IllegalArgumentException("values cannot be written to a read-only segment");
    }
  }

  /** Frees the memory, having waited for running operations; further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void close() {
    store.close();
  }
}
