package dev.gyre.structures.map;

import static dev.gyre.progress.ProgressClass.DEADLOCK_FREE;
import static dev.gyre.progress.ProgressClass.LOCK_FREE;
import static dev.gyre.progress.ProgressClass.WAIT_FREE;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.progress.Progress;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.view.TextLongView;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Hash map from texts of any length to long, for many threads, with bulk operations.
 *
 * <p>A key is a sequence of up to {@value TextKeys#MAX_LENGTH} bytes. A string is encoded as UTF-8.
 * A bulk operation throws {@link IllegalArgumentException}, and changes nothing, if one of its
 * strings contains half of a surrogate pair, which UTF-8 cannot encode. The package describes
 * threads, memory, errors and interrupts of all maps.
 *
 * <pre>{@code
 * try (var map = TextLongMap.create()) {
 *   map.insertOrApply(words, ones, Apply.ADD); // a List<String> and a long[]
 *   map.find(wanted, found);
 *   long now = map.merge("whale", 1, Apply.ADD); // one key, from any thread
 *   map.forEach((word, count) -> System.out.println(word + " " + count));
 * }
 * }</pre>
 *
 * <p>Keys are equal if their bytes are. A {@link dev.gyre.kernels.map.TextHash} on the builder may
 * define another equality, for all operations and views.
 *
 * <p><b>Memory.</b> A slot takes 32 bytes and contains a key of up to 8 bytes. Longer keys are in
 * an arena, which grows with the table. A key takes 32 bytes divided by the load factor, plus its
 * own length if that is more than 8. The map ignores the builder's layout.
 *
 * <p><b>Equal keys in one operation.</b> {@code insert} inserts one of them; the map keeps that
 * key's value. {@code insertOrAssign} leaves the value of one of them. {@code insertOrApply}
 * applies all of them. A map with one {@linkplain MapBuilder#workers worker} on the JVM takes keys
 * in their order, also during growth. With {@link dev.gyre.structures.Waiting#DEFERRED} this holds
 * while no other thread inserts. The threads of a device take keys in any order.
 *
 * @since 0.1.0
 */
public final class TextLongMap extends TextBulk {

  private static final String NAME = "TextLongMap";

  TextLongMap(MapSettings settings) {
    this(new TextStore(NAME, settings));
  }

  TextLongMap(TextStore store) {
    super(store);
  }

  /** Returns an empty map that grows on demand and uses a thread per core. */
  public static TextLongMap create() {
    return builder().build();
  }

  /** Loads a map from a file; see {@link MapBuilder#load(Path)}. */
  public static TextLongMap load(Path file) {
    return builder().load(file);
  }

  /** Loads a map from a stream; see {@link MapBuilder#load(InputStream)}. */
  public static TextLongMap load(InputStream in) {
    return builder().load(in);
  }

  /**
   * Loads a map from the bytes that {@link #save(java.io.OutputStream)} wrote; see {@link
   * MapBuilder#load(MemorySegment)}.
   */
  public static TextLongMap load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Returns a builder with the default settings. */
  public static MapBuilder<TextLongMap> builder() {
    return new MapBuilder<>(SavedMap.Kind.TEXTS, TextLongMap::new);
  }

  /**
   * Calls {@link #get(byte[])} with a string. A string with half of a surrogate pair is always
   * absent.
   *
   * <p>If absent strings are looked up repeatedly while no keys are inserted, the map remembers
   * them in at most 4 bytes of the heap per key.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public OptionalLong get(String key) {
    return access.get(key);
  }

  /**
   * Returns the value of a key, or empty if the key is absent. No other operation blocks this
   * method on the JVM.
   *
   * @throws dev.gyre.atomics.ClosedException if the map is closed
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public OptionalLong get(byte[] key) {
    return access.get(key);
  }

  /** Calls {@link #getOrDefault(byte[], long)} with a string; otherwise as {@link #get(String)}. */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public long getOrDefault(String key, long ifAbsent) {
    return access.get(key).orElse(ifAbsent);
  }

  /**
   * Returns the value of a key, or {@code ifAbsent} if the key is absent; otherwise as {@link
   * #get(byte[])}.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public long getOrDefault(byte[] key, long ifAbsent) {
    return access.get(key).orElse(ifAbsent);
  }

  /** Calls {@link #containsKey(byte[])} with a string; otherwise as {@link #get(String)}. */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean containsKey(String key) {
    return get(key).isPresent();
  }

  /** Returns whether a key is in the map; otherwise as {@link #get(byte[])}. */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = READS)
  public boolean containsKey(byte[] key) {
    return get(key).isPresent();
  }

  /**
   * Calls {@link #putIfAbsent(byte[], long)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(String key, long value) {
    return access.putIfAbsent(TextKey.of(key), value);
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
  public OptionalLong putIfAbsent(byte[] key, long value) {
    return access.putIfAbsent(TextKey.of(key), value);
  }

  /**
   * Calls {@link #put(byte[], long)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong put(String key, long value) {
    return access.change(TextKey.of(key), value, Change.Policy.ASSIGN);
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
  public OptionalLong put(byte[] key, long value) {
    return access.change(TextKey.of(key), value, Change.Policy.ASSIGN);
  }

  /**
   * Calls {@link #replace(byte[], long)} with a string. A string with half of a surrogate pair is
   * absent.
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(String key, long value) {
    return access.replace(TextKey.lookedFor(key), value);
  }

  /**
   * Calls {@link #replace(byte[], long, long)} with a string. A string with half of a surrogate
   * pair is absent.
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(String key, long oldValue, long newValue) {
    return access.replace(TextKey.lookedFor(key), oldValue, newValue);
  }

  /**
   * Sets the value of a key if it is present; returns the old value, or empty if the key is absent.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(byte[] key, long value) {
    return access.replace(TextKey.of(key), value);
  }

  /**
   * Sets the value of a key if it equals {@code oldValue}; returns whether it did. The change is
   * atomic, also during growth.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(byte[] key, long oldValue, long newValue) {
    return access.replace(TextKey.of(key), oldValue, newValue);
  }

  /**
   * Calls {@link #merge(byte[], long, Apply)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Apply apply) {
    return access.merge(TextKey.of(key), value, Objects.requireNonNull(apply, "apply").change());
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
  public long merge(byte[] key, long value, Apply apply) {
    return access.merge(TextKey.of(key), value, Objects.requireNonNull(apply, "apply").change());
  }

  /**
   * Calls {@link #merge(byte[], long, Fold)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Fold fold) {
    return access.merge(TextKey.of(key), value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /**
   * Inserts a key with its value. If the key is present, the user's function combines the present
   * value and the new one. On the JVM, the calling thread runs the function.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long merge(byte[] key, long value, Fold fold) {
    return access.merge(TextKey.of(key), value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /**
   * Counts the words of a text, with all threads of this map: adds 1 to the value of each word. A
   * word that is absent is inserted with 1.
   *
   * @param text bytes, such as UTF-8: {@code MemorySegment.ofArray(bytes)}, or a mapped file
   * @param words what separates words
   * @return number of words of the text
   * @throws IllegalArgumentException if only one thread can access the segment
   * @throws MapFullException if some words do not fit in a map of fixed capacity; all others are
   *     counted
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available; some
   *     words are counted
   * @throws dev.gyre.atomics.ClosedException if the map is closed, before or during the operation
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long countWords(MemorySegment text, Words words) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(words, "words");
    try (Releasable _ = store.tally()) {
      return WordTally.run(store, text, words);
    }
  }

  /** Calls {@link #increment(byte[])} with a string; see {@link #merge(String, long, Apply)}. */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long increment(String key) {
    return merge(key, 1, Apply.ADD);
  }

  /**
   * Adds 1 to the value of a key, absent or not; returns the new value. See {@link #merge(byte[],
   * long, Apply)}.
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long increment(byte[] key) {
    return merge(key, 1, Apply.ADD);
  }

  /**
   * Removes a key; returns its value, or empty if the key was absent.
   *
   * @throws UnsupportedOperationException if the map was built without {@link MapBuilder#removable}
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public OptionalLong remove(String key) {
    return access.remove(TextKey.lookedFor(key));
  }

  /** Removes a key of bytes as {@link #remove(String)} does. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public OptionalLong remove(byte[] key) {
    return access.remove(TextKey.of(key));
  }

  /**
   * Removes a key if its value equals {@code value}; returns whether it did.
   *
   * @throws UnsupportedOperationException if the map was built without {@link
   *     MapBuilder#removable}, or if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(String key, long value) {
    return access.remove(TextKey.lookedFor(key), value);
  }

  /** Removes a key of bytes as {@link #remove(String, long)} does. */
  @Progress(value = DEADLOCK_FREE, because = REMOVALS)
  public boolean remove(byte[] key, long value) {
    return access.remove(TextKey.of(key), value);
  }

  /**
   * Calls {@link #compute(byte[], UnaryOperator)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong compute(String key, UnaryOperator<OptionalLong> function) {
    return access.compute(TextKey.of(key), Objects.requireNonNull(function, "function"));
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
  public OptionalLong compute(byte[] key, UnaryOperator<OptionalLong> function) {
    return access.compute(TextKey.of(key), Objects.requireNonNull(function, "function"));
  }

  /**
   * Calls {@link #computeIfAbsent(byte[], ToLongFunction)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public long computeIfAbsent(String key, ToLongFunction<String> function) {
    Objects.requireNonNull(function, "function");
    OptionalLong present = access.get(key);
    return present.isPresent()
        ? present.getAsLong()
        : access.valueAfterInsert(TextKey.of(key), function.applyAsLong(key));
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
  public long computeIfAbsent(byte[] key, ToLongFunction<byte[]> function) {
    Objects.requireNonNull(function, "function");
    OptionalLong present = access.get(key);
    return present.isPresent()
        ? present.getAsLong()
        : access.valueAfterInsert(TextKey.of(key), function.applyAsLong(key));
  }

  /**
   * Calls {@link #computeIfPresent(byte[], LongUnaryOperator)} with a string.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong computeIfPresent(String key, LongUnaryOperator function) {
    return access.computeIfPresent(TextKey.of(key), function);
  }

  /**
   * Sets the value of a key, if it is present, to the result of a function of that value; returns
   * the new value, or empty if the key is absent. Otherwise as {@link #compute(byte[],
   * UnaryOperator)}.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong computeIfPresent(byte[] key, LongUnaryOperator function) {
    return access.computeIfPresent(TextKey.of(key), function);
  }

  /**
   * Sets the values of all keys of a map, by one bulk operation.
   *
   * @throws MapFullException if this map, of fixed capacity, is full; keys that fit are in it
   * @throws IllegalArgumentException if a key contains half of a surrogate pair, which UTF-8 cannot
   *     encode; nothing is inserted
   * @throws NullPointerException if a key or value is null; nothing is inserted
   */
  @Progress(value = DEADLOCK_FREE, because = CLAIMS)
  public void putAll(Map<String, Long> entries) {
    List<Map.Entry<String, Long>> all =
        List.copyOf(Objects.requireNonNull(entries, "entries").entrySet());
    Longs values = Longs.of(all.stream().mapToLong(Map.Entry::getValue).toArray());
    var _ =
        store.withKeys(
            all.stream().map(Map.Entry::getKey).toList(),
            keys -> insertOrAssign(keys, values, BulkOptions.NONE.throwIfFull()));
  }

  /**
   * Returns a stream of all keys as strings, in which invalid UTF-8 is replaced. Streams of a map
   * are sequential, can be made parallel, and are weakly consistent: they may or may not include
   * keys that are inserted meanwhile. Each value is one that its key had since the stream was made.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Stream<String> keys() {
    return view().keySet().stream();
  }

  /** Returns a stream of all values, without boxing; otherwise as {@link #keys}. */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public LongStream values() {
    return StreamSupport.stream(access.entries(e -> e, 0), false).mapToLong(e -> e.value);
  }

  /** Returns a stream of all entries; otherwise as {@link #keys}. */
  @Override
  @Progress(value = WAIT_FREE, because = VIEWS)
  public Stream<Map.Entry<String, Long>> stream() {
    return view().entrySet().stream();
  }

  /**
   * Returns a view of this map as a {@link ConcurrentMap}, which boxes values. {@link
   * LongLongMap#asMap} says what it supports, and where it differs from a {@link
   * java.util.concurrent.ConcurrentHashMap}.
   *
   * <p>Keys that are not valid UTF-8 are shown with replacement characters. {@code setValue} of
   * such an entry inserts the text that is shown.
   */
  @Progress(value = WAIT_FREE, because = VIEWS)
  public ConcurrentMap<String, Long> asMap() {
    return view();
  }

  TextLongView view() {
    return new TextLongView(store, access);
  }

  /**
   * Calls {@link #forEachBytes} with keys as strings. Invalid UTF-8 is replaced, so that keys which
   * differ only there look the same.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEach(ObjLongConsumer<String> action) {
    Objects.requireNonNull(action, "action");
    forEachBytes((key, value) -> action.accept(new String(key, StandardCharsets.UTF_8), value));
  }

  /**
   * Calls an action for all entries, with keys as bytes, on the calling thread, in no particular
   * order.
   *
   * <p>The iteration is weakly consistent: it may or may not include keys that are inserted
   * meanwhile. Each value is one that the key had during the call. The action may call any method
   * of the map.
   *
   * <p>From a device all entries are copied first, in one consistent state.
   */
  @Progress(value = LOCK_FREE, onDevice = DEADLOCK_FREE, because = WALKS)
  public void forEachBytes(ObjLongConsumer<byte[]> action) {
    Objects.requireNonNull(action, "action");
    if (store.onJvm()) {
      access.entries(e -> e, 0).forEachRemaining(e -> action.accept(e.key, e.value));
      return;
    }
    try (TextKeys keys = new TextKeys()) {
      long[] values = retrieveAll(keys);
      for (int i = 0; i < keys.count(); i++) {
        action.accept(keys.bytes(i), values[i]);
      }
    }
  }
}
