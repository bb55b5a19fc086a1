package dev.gyre.structures.map;

import static dev.gyre.progress.ProgressClass.DEADLOCK_FREE;
import static dev.gyre.progress.ProgressClass.LOCK_FREE;
import static dev.gyre.progress.ProgressClass.WAIT_FREE;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.progress.Progress;
import dev.gyre.structures.launch.LongSetRef;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Hash set of longs for many threads, with bulk operations. Keys can be removed if the builder was
 * called with {@link MapBuilder#removable}.
 *
 * <p>It is a {@link LongLongMap} without values. The package describes threads, memory, errors and
 * interrupts of all sets and maps.
 *
 * <pre>{@code
 * try (var seen = LongSet.create()) {
 *   InsertCounts counts = seen.addAll(keys);
 *   FindCounts hits = seen.containsAll(wanted);
 *   boolean isNew = seen.add(key); // one key, from any thread
 *   seen.forEach(key -> System.out.println(key));
 * }
 * }</pre>
 *
 * <p>Every number is a valid key. Exactly one of several equal keys of an operation is INSERTED.
 *
 * @since 0.1.0
 */
@IntSpecialized
public final class LongSet extends HashTable<LongStore, LongSet, LongSetRef> {

  private static final String NAME = "LongSet";

  /**
   * The map stores each key as its own value, so that repeated writes in any order give the same
   * result.
   */
  private final LongLongMap keys;

  private LongSet(MapSettings settings) {
    super(new LongStore(NAME, SavedMap.Kind.LONG_SET, settings), LongSetRef::new, LongSet::new);
    this.keys = new LongLongMap(store);
  }

  /** Returns an empty set that grows on demand and uses a thread per core. */
  public static LongSet create() {
    return builder().build();
  }

  /** Loads a set from a file; see {@link MapBuilder#load(Path)}. */
  public static LongSet load(Path file) {
    return builder().load(file);
  }

  /** Loads a set from a stream; see {@link MapBuilder#load(InputStream)}. */
  public static LongSet load(InputStream in) {
    return builder().load(in);
  }

  /**
   * Loads a set from the bytes that {@link #save(java.io.OutputStream)} wrote; see {@link
   * MapBuilder#load(MemorySegment)}.
   */
  public static LongSet load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Returns a builder with the default settings. */
  public static MapBuilder<LongSet> builder() {
    return new MapBuilder<>(SavedMap.Kind.LONG_SET, LongSet::new);
  }

  /** Calls {@link #addAll(Longs, BulkOptions)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(long[] all) {
    return addAll(Longs.of(Objects.requireNonNull(all, "all")), BulkOptions.NONE);
  }

  /**
   * Adds keys. A key is INSERTED if it was not in the set.
   *
   * <p>If the memory to grow runs out during an insert, each key is either in the set or was not
   * tried. The outcome of a key that was not tried is SKIPPED.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be in the set
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(Longs all, BulkOptions options) {
    return keys.insert(Objects.requireNonNull(all, "all"), all, options);
  }

  /**
   * Adds a key; returns true if it was not in the set.
   *
   * @throws MapFullException if the key is absent and the set, of fixed capacity, is full
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the set
   *     grows for the key; the set is unchanged
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public boolean add(/* int */ long key) {
    return keys.putIfAbsent(key, key).isEmpty();
  }

  /**
   * Removes a key; returns true if it was in the set.
   *
   * @throws UnsupportedOperationException if the set was built without {@link MapBuilder#removable}
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(/* int */ long key) {
    return keys.remove(key).isPresent();
  }

  /** Calls {@link #removeAll(Longs, BulkOptions)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(long[] all) {
    return removeAll(Longs.of(Objects.requireNonNull(all, "all")), BulkOptions.NONE);
  }

  /** Removes keys as {@link LongLongMap#removeAll(Longs, BulkOptions)} does. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(Longs all, BulkOptions options) {
    return keys.removeAll(Objects.requireNonNull(all, "all"), options);
  }

  /**
   * Removes the keys for which a predicate returns true, as {@link LongLongMap#removeIf} does. The
   * predicate gets each key as its value, too.
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long removeIf(EntryPredicate predicate) {
    return keys.removeIf(predicate);
  }

  /** Calls {@link #containsAll(Longs, BulkOptions)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(long[] all) {
    return containsAll(Longs.of(Objects.requireNonNull(all, "all")), BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the set.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(Longs all, BulkOptions options) {
    return keys.contains(Objects.requireNonNull(all, "all"), options);
  }

  /**
   * Returns whether a key is in the set. No other operation blocks this method on the JVM.
   *
   * @throws dev.gyre.atomics.ClosedException if the set is closed
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean contains(/* int */ long key) {
    return keys.containsKey(key);
  }

  /** Calls {@link #retrieveAll(Longs)} with an array. */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(long[] all) {
    return retrieveAll(Longs.of(Objects.requireNonNull(all, "all")));
  }

  /**
   * Copies all keys, in no particular order; returns their number. Waits for running inserts.
   *
   * @throws IllegalArgumentException if the array is shorter than {@link #size()}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys may be written
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Longs all) {
    return keys.retrieveAll(Objects.requireNonNull(all, "all"), all);
  }

  /**
   * Returns a stream of all keys, without boxing. It is sequential, can be made parallel, and is
   * weakly consistent: it may or may not include keys that are added meanwhile.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Override
  @Progress(value = WAIT_FREE, because = VIEWS)
  public LongStream stream() {
    return keys.keys();
  }

  /**
   * Returns a view of this set as a {@link Set}, which boxes keys. Lookups of null, and of objects
   * of another type, find nothing. If the set was built without {@link MapBuilder#removable},
   * removals throw {@link UnsupportedOperationException}. Iterators are weakly consistent, and
   * throw this exception while the table is on a device.
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Set<Long> asSet() {
    return keys.view().asSet(key -> key);
  }

  /**
   * Calls an action for all keys, on the calling thread, in no particular order. The iteration is
   * weakly consistent: it may or may not include keys that are added meanwhile. The action may call
   * any method of the set.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows during
   *     the iteration
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEach(LongConsumer action) {
    Objects.requireNonNull(action, "action");
    keys.forEach((key, _) -> action.accept(key));
  }
}
