package dev.gyre.structures.map;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.Leaving;
import dev.gyre.structures.map.access.TextWalk;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.view.TextLongView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ObjLongConsumer;

/**
 * An insert-only map from texts, of any length, to long, for many threads, with bulk operations.
 *
 * <p>It is {@link LongLongMap} with other keys: a key is a row of bytes, of up to {@value
 * TextKeys#MAX_LENGTH}; a string is taken as UTF-8. Keys of up to 8 bytes are in the slot, longer
 * ones in an arena, which grows as the table does; so a key takes 32 bytes by the load factor, and
 * its own length if that is more than 8.
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
 * <p>Keys are equal if their bytes are, unless the builder is given a {@link
 * dev.gyre.kernels.map.TextHash} that says otherwise, for all operations and views.
 *
 * <p>Of equal keys in one operation: {@code insert} keeps the value of the one that is INSERTED,
 * which may be any of them; {@code insertOrAssign} ends with the value of any of them; {@code
 * insertOrApply} applies all of them. With one {@linkplain MapBuilder#workers worker}, of the JVM,
 * it is the first that is INSERTED, and the last that is assigned, also where the map grows in
 * between; with {@link dev.gyre.structures.Waiting#DEFERRED} that is so where no other thread
 * inserts meanwhile. The threads of a device take keys in any order. The layout of a builder is not
 * asked for: there is one.
 */
public final class TextLongMap extends TextBulk {

  private static final String NAME = "TextLongMap";

  private static final String READS =
      "looks again only where the map has grown or was cleared meanwhile;"
          + " on a device waits in a slot";
  private static final String WALKS =
      "looks again only where the map has grown or was cleared meanwhile;"
          + " on a device waits for running inserts";

  TextLongMap(MapSettings settings) {
    this(new TextStore(NAME, settings));
  }

  TextLongMap(TextStore store) {
    super(store);
  }

  @Override
  TextLongMap self() {
    return this;
  }

  @Override
  TextLongMap made(MapSettings settings) {
    return new TextLongMap(settings);
  }

  /** A map that starts small and grows, with a thread for every core. */
  public static TextLongMap create() {
    return builder().build();
  }

  /** A map of what is in a file; see {@link MapBuilder#load(Path)}. */
  public static TextLongMap load(Path file) {
    return builder().load(file);
  }

  /** A map of the bytes that it was saved as; see {@link MapBuilder#load(MemorySegment)}. */
  public static TextLongMap load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Settings of a map to be made. */
  public static MapBuilder<TextLongMap> builder() {
    return new MapBuilder<>(Layout.LINE, TextLongMap::new);
  }

  /**
   * {@link #get(byte[])} of a string; one with half of a surrogate pair is no key, and so absent.
   * Where strings are asked for again and again that are absent, while no keys come, 4 bytes of the
   * heap at most are kept for each key, by which such strings are known.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public OptionalLong get(String key) {
    return access.get(key);
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
  public OptionalLong get(byte[] key) {
    return access.get(key);
  }

  /** {@link #getOrDefault(byte[], long)} of a string; as {@link #get(String)}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public long getOrDefault(String key, long ifAbsent) {
    return access.getOrDefault(key, ifAbsent);
  }

  /** The value of a key, or another where it is absent; as {@link #get(byte[])}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public long getOrDefault(byte[] key, long ifAbsent) {
    return access.getOrDefault(key, ifAbsent);
  }

  /** {@link #containsKey(byte[])} of a string; as {@link #get(String)}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean containsKey(String key) {
    return get(key).isPresent();
  }

  /** Whether a key is in the map; as {@link #get(byte[])}. */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = READS)
  public boolean containsKey(byte[] key) {
    return get(key).isPresent();
  }

  /**
   * {@link #putIfAbsent(byte[], long)} of a string.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(String key, long value) {
    return access.putIfAbsent(TextKey.of(key), value);
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
  public OptionalLong putIfAbsent(byte[] key, long value) {
    return access.putIfAbsent(TextKey.of(key), value);
  }

  /**
   * {@link #put(byte[], long)} of a string.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong put(String key, long value) {
    return access.change(TextKey.of(key), value, Change.Policy.ASSIGN);
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
  public OptionalLong put(byte[] key, long value) {
    return access.change(TextKey.of(key), value, Change.Policy.ASSIGN);
  }

  /** {@link #replace(byte[], long)} of a string; half of a surrogate pair is in no key. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(String key, long value) {
    return access.replace(TextKey.lookedFor(key), value);
  }

  /** {@link #replace(byte[], long, long)} of a string; half of a surrogate pair is in no key. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(String key, long oldValue, long newValue) {
    return access.replace(TextKey.lookedFor(key), oldValue, newValue);
  }

  /**
   * Gives a key that is present another value; returns the value that was there, or nothing if the
   * key is absent, which it stays.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong replace(byte[] key, long value) {
    return access.replace(TextKey.of(key), value);
  }

  /**
   * Gives a key another value if it has the one that is expected; returns whether it had. Atomic,
   * also beside growth.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean replace(byte[] key, long oldValue, long newValue) {
    return access.replace(TextKey.of(key), oldValue, newValue);
  }

  /**
   * {@link #merge(byte[], long, Apply)} of a string.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Apply apply) {
    return access.merge(TextKey.of(key), value, Objects.requireNonNull(apply, "apply").change());
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
  public long merge(byte[] key, long value, Apply apply) {
    return access.merge(TextKey.of(key), value, Objects.requireNonNull(apply, "apply").change());
  }

  /**
   * {@link #merge(byte[], long, Fold)} of a string.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Fold fold) {
    return access.merge(TextKey.of(key), value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /**
   * The same with a function of the user's, which this thread calls where the map is on the JVM.
   *
   * @throws dev.gyre.kernels.KernelException if that is no record of handles and numbers
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long merge(byte[] key, long value, Fold fold) {
    return access.merge(TextKey.of(key), value, Change.of(Objects.requireNonNull(fold, "fold")));
  }

  /**
   * Adds 1 to the value of every word of a text, with all threads of this map; a word that is
   * absent is inserted with 1.
   *
   * @param text of bytes, such as UTF-8: {@code MemorySegment.ofArray(bytes)}, or a mapped file
   * @return how many words the text has
   * @throws IllegalArgumentException if only one thread can use the segment
   * @throws MapFullException if there were words that a map of fixed capacity has no room for; all
   *     others are counted
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow; some of
   *     the words are counted then
   * @throws dev.gyre.atomics.ClosedException if the map was closed, before or meanwhile
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long countWords(MemorySegment text, Words words) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(words, "words");
    try (Leaving _ = store.tally()) {
      return WordTally.run(store, text, words);
    }
  }

  /**
   * This map as a {@link ConcurrentMap}, for code that wants one: a view, which boxes values. Keys
   * cannot be removed, nor entries set; iterators are weakly consistent.
   *
   * <p>A function given to {@code compute}, {@code computeIfPresent} or {@code merge} is called
   * again if the value of its key changed meanwhile. If it changes that value itself, the call
   * never ends, as in a {@link java.util.concurrent.ConcurrentSkipListMap}.
   *
   * <p>While the table is on a device, all that puts, replaces or iterates, but for {@code
   * putIfAbsent}, throws an {@link UnsupportedOperationException}.
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes a view")
  public ConcurrentMap<String, Long> asMap() {
    return new TextLongView(store, access);
  }

  /**
   * {@link #forEachBytes} with keys as strings, in which bytes that are no UTF-8 are replaced: keys
   * that differ there only come out the same.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEach(ObjLongConsumer<String> action) {
    Objects.requireNonNull(action, "action");
    forEachBytes((key, value) -> action.accept(new String(key, StandardCharsets.UTF_8), value));
  }

  /**
   * Gives all entries to an action, keys as the bytes that they are, on the calling thread, in no
   * particular order. Weakly consistent: keys that are inserted meanwhile may be left out, and
   * values are as they were at some time since the call. The action may do anything with the map.
   *
   * <p>From a device all entries are copied first, as they are at one time, by {@link
   * #retrieveAll}.
   */
  @Progress(
      value = ProgressClass.LOCK_FREE,
      onDevice = ProgressClass.DEADLOCK_FREE,
      because = WALKS)
  public void forEachBytes(ObjLongConsumer<byte[]> action) {
    Objects.requireNonNull(action, "action");
    if (store.onJvm()) {
      TextWalk walk = new TextWalk(store);
      for (var part = walk.next(); part != null; part = walk.next()) {
        part.forEach(e -> action.accept(e.key, e.value));
      }
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
