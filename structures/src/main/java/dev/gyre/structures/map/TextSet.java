package dev.gyre.structures.map;

import static dev.gyre.progress.ProgressClass.DEADLOCK_FREE;
import static dev.gyre.progress.ProgressClass.LOCK_FREE;
import static dev.gyre.progress.ProgressClass.WAIT_FREE;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.progress.Progress;
import dev.gyre.structures.launch.TextSetRef;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.MapSettings;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hash set of texts of any length, for many threads, with bulk operations.
 *
 * <p>It is a {@link TextLongMap} without values. The package describes threads, memory, errors and
 * interrupts of all sets and maps.
 *
 * <pre>{@code
 * try (var seen = TextSet.create()) {
 *   InsertCounts counts = seen.addAll(words);
 *   FindCounts hits = seen.containsAll(wanted);
 *   boolean isNew = seen.add("whale"); // one key, from any thread
 *   seen.forEach(word -> System.out.println(word));
 * }
 * }</pre>
 *
 * <p>A key is a sequence of bytes; a string is encoded as UTF-8. A bulk operation throws {@link
 * IllegalArgumentException}, and changes nothing, if one of its strings contains half of a
 * surrogate pair, which UTF-8 cannot encode. Exactly one of several equal keys of an operation is
 * INSERTED.
 *
 * @since 0.1.0
 */
public final class TextSet extends HashTable<TextStore, TextSet, TextSetRef> {

  private static final String NAME = "TextSet";

  /** All values are 0. */
  private final TextLongMap keys;

  private TextSet(MapSettings settings) {
    super(new TextStore(NAME, SavedMap.Kind.TEXT_SET, settings), TextSetRef::new, TextSet::new);
    this.keys = new TextLongMap(store);
  }

  /** Returns an empty set that grows on demand and uses a thread per core. */
  public static TextSet create() {
    return builder().build();
  }

  /** Loads a set from a file; see {@link MapBuilder#load(Path)}. */
  public static TextSet load(Path file) {
    return builder().load(file);
  }

  /** Loads a set from a stream; see {@link MapBuilder#load(InputStream)}. */
  public static TextSet load(InputStream in) {
    return builder().load(in);
  }

  /**
   * Loads a set from the bytes that {@link #save(java.io.OutputStream)} wrote; see {@link
   * MapBuilder#load(MemorySegment)}.
   */
  public static TextSet load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Returns a builder with the default settings. */
  public static MapBuilder<TextSet> builder() {
    return new MapBuilder<>(SavedMap.Kind.TEXT_SET, TextSet::new);
  }

  /** Calls {@link #addAll(TextKeys, BulkOptions)} with strings. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(List<String> all) {
    // One copy, so that there are as many values as keys.
    String[] copy = Objects.requireNonNull(all, "all").toArray(String[]::new);
    return keys.insert(Arrays.asList(copy), new long[copy.length]);
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
  public InsertCounts addAll(TextKeys all, BulkOptions options) {
    long[] zeros = new long[Objects.requireNonNull(all, "all").count()];
    return keys.insert(all, Longs.of(zeros), options);
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
  public boolean add(byte[] key) {
    return keys.putIfAbsent(key, 0).isEmpty();
  }

  /**
   * Calls {@link #add(byte[])} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public boolean add(String key) {
    return keys.putIfAbsent(key, 0).isEmpty();
  }

  /**
   * Removes a key; returns true if it was in the set.
   *
   * @throws UnsupportedOperationException if the set was built without {@link MapBuilder#removable}
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(String key) {
    return keys.remove(key).isPresent();
  }

  /** Removes a key of bytes as {@link #remove(String)} does. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(byte[] key) {
    return keys.remove(key).isPresent();
  }

  /** Calls {@link #removeAll(TextKeys, BulkOptions)} with strings. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(List<String> all) {
    return keys.removeAll(all);
  }

  /** Removes keys as {@link LongLongMap#removeAll(Longs, BulkOptions)} does. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public FindCounts removeAll(TextKeys all, BulkOptions options) {
    return keys.removeAll(Objects.requireNonNull(all, "all"), options);
  }

  /** Removes the keys for which a predicate returns true; its value is 0. */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long removeIf(TextPredicate predicate) {
    return keys.removeIf(predicate);
  }

  /** Calls {@link #containsAll(TextKeys, BulkOptions)} with strings. */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(List<String> all) {
    return keys.store.withKeys(all, batch -> containsAll(batch, BulkOptions.NONE));
  }

  /**
   * Counts the keys that are in the set.
   *
   * @throws IllegalArgumentException if the numbers of keys and options differ
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = DEADLOCK_FREE, because = FINDS)
  public FindCounts containsAll(TextKeys all, BulkOptions options) {
    return keys.contains(Objects.requireNonNull(all, "all"), options);
  }

  /**
   * Returns whether a key is in the set. No other operation blocks this method on the JVM.
   *
   * @throws dev.gyre.atomics.ClosedException if the set is closed
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean contains(byte[] key) {
    return keys.containsKey(key);
  }

  /**
   * Calls {@link #contains(byte[])} with a string. A string with half of a surrogate pair is
   * absent.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean contains(String key) {
    return keys.containsKey(key);
  }

  /** Returns the hash that was set on the builder, or null. */
  @Internal
  @Progress(value = WAIT_FREE, because = "reads a constant")
  public @Nullable TextHash textHash() {
    return store.textHash();
  }

  /**
   * Appends all keys to a batch, in no particular order; returns their number. Waits for running
   * inserts.
   */
  @Progress(value = DEADLOCK_FREE, because = INSERTS)
  public long retrieveAll(TextKeys all) {
    Objects.requireNonNull(all, "all").requireOpen();
    return keys.retrieveAll(all).length;
  }

  /**
   * Returns a stream of all keys as strings, in which invalid UTF-8 is replaced. It is sequential,
   * can be made parallel, and is weakly consistent: it may or may not include keys that are added
   * meanwhile.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Override
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Stream<String> stream() {
    return keys.keys();
  }

  /**
   * Returns a view of this set as a {@link Set}; keys that are not valid UTF-8 are shown with
   * replacement characters. Lookups of null, and of objects of another type, find nothing. If the
   * set was built without {@link MapBuilder#removable}, removals throw {@link
   * UnsupportedOperationException}. Iterators are weakly consistent, and throw this exception while
   * the table is on a device.
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Set<String> asSet() {
    return keys.view().asSet(_ -> 0L);
  }

  /**
   * Calls an action for all keys, on the calling thread, in no particular order. The iteration is
   * weakly consistent: it may or may not include keys that are added meanwhile. The action may call
   * any method of the set. From a device all keys are copied first, in one consistent state.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEachBytes(Consumer<byte[]> action) {
    Objects.requireNonNull(action, "action");
    keys.forEachBytes((key, _) -> action.accept(key));
  }

  /**
   * Calls {@link #forEachBytes} with keys as strings. Invalid UTF-8 is replaced, so that keys which
   * differ only there look the same.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEach(Consumer<String> action) {
    Objects.requireNonNull(action, "action");
    forEachBytes(key -> action.accept(new String(key, StandardCharsets.UTF_8)));
  }
}
