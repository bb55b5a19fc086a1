package dev.gyre.structures.map;

import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Internal;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.launch.LongSetRef;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * An insert-only set of longs for many threads, with bulk operations: the keys of a {@link
 * LongLongMap}, with all that the package says of maps.
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
 * <p>Every key is legal. Of equal keys in one operation exactly one is INSERTED.
 */
@IntTwin
public final class LongSet extends HashTable<LongStore, LongSet, LongSetRef> {

  private static final String NAME = "LongSet";

  private static final String CLAIMS =
      "waits for growth, and in a slot for the thread that claimed it";
  private static final String FINDS = CLAIMS + "; no update waits for it";
  private static final String READS =
      "looks again only where the set has grown or was cleared meanwhile;"
          + " on a device waits in a slot";
  private static final String WALKS =
      "looks again only where the set has grown or was cleared meanwhile;"
          + " on a device waits for running inserts";

  /** Each key is its own value: what is written twice, or in any order, is the same. */
  private final LongLongMap keys;

  private LongSet(MapSettings settings) {
    super(new LongStore(NAME, SavedMap.Kind.LONG_SET, settings), LongSetRef::new);
    this.keys = new LongLongMap(store);
  }

  @Override
  LongSet self() {
    return this;
  }

  @Override
  LongSet made(MapSettings settings) {
    return new LongSet(settings);
  }

  /** A set that starts small and grows, with a thread for every core. */
  public static LongSet create() {
    return builder().build();
  }

  /** A set of what is in a file; see {@link MapBuilder#load(Path)}. */
  public static LongSet load(Path file) {
    return builder().load(file);
  }

  /** A set of the bytes that it was saved as; see {@link MapBuilder#load(MemorySegment)}. */
  public static LongSet load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Settings of a set to be made. */
  public static MapBuilder<LongSet> builder() {
    return new MapBuilder<>(Layout.PACKED, LongSet::new);
  }

  /** {@link #addAll(Longs, BulkOptions)} of an array. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(long[] all) {
    return addAll(Longs.of(Objects.requireNonNull(all, "all")), BulkOptions.NONE);
  }

  /**
   * Adds keys; INSERTED are those that were not in the set.
   *
   * <p>Where a set that grows runs out of memory in the middle, every key is either in the set or
   * was not tried; outcomes of the latter say SKIPPED.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then in the set
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(Longs all, BulkOptions options) {
    return keys.insert(Objects.requireNonNull(all, "all"), all, options);
  }

  /**
   * Adds a key; returns whether it was not in the set.
   *
   * @throws MapFullException if the key is absent, and the set full and of fixed capacity
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   * @throws StuckException if a wait for another thread took too long
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted while the set
   *     grows for the key; it is then as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(/* int */ long key) {
    return keys.putIfAbsent(key, key).isEmpty();
  }

  /** {@link #containsAll(Longs, BulkOptions)} of an array. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(long[] all) {
    return containsAll(Longs.of(Objects.requireNonNull(all, "all")), BulkOptions.NONE);
  }

  /**
   * Counts the keys that are in the set.
   *
   * @throws IllegalArgumentException if there are not as many options as keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(Longs all, BulkOptions options) {
    return keys.contains(Objects.requireNonNull(all, "all"), options);
  }

  /**
   * Whether a key is in the set. On the JVM no operation blocks it.
   *
   * @throws dev.gyre.atomics.ClosedException if the set was closed
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean contains(/* int */ long key) {
    return keys.containsKey(key);
  }

  /** Refuses what a bulk operation cannot be given. */
  @Internal
  @Progress(value = ProgressClass.WAIT_FREE, because = "looks at its arguments")
  public void check(Longs all, BulkOptions options) {
    keys.check(all, options);
  }

  /** {@link #retrieveAll(Longs)} to an array. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(long[] all) {
    return retrieveAll(Longs.of(Objects.requireNonNull(all, "all")));
  }

  /**
   * Copies all keys, in no particular order, and returns how many there are. Waits for running
   * inserts.
   *
   * @throws IllegalArgumentException if there is not room for {@link #size()} keys
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; some of the
   *     keys are then written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(Longs all) {
    return keys.retrieveAll(Objects.requireNonNull(all, "all"), all);
  }

  /**
   * Gives all keys to an action, on the calling thread, in no particular order. Weakly consistent:
   * keys that are added meanwhile may be left out. The action may do anything with the set.
   *
   * @throws java.util.ConcurrentModificationException if the table is on a device and grows
   *     meanwhile
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEach(LongConsumer action) {
    Objects.requireNonNull(action, "action");
    keys.forEach((key, _) -> action.accept(key));
  }
}
